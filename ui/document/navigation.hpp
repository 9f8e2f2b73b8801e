// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "engine/session/session_notes.hpp"
#include "engine/tensor/tensor_identity.hpp"
#include "ui/document/shown.hpp"
#include "ui/models/selection.hpp"

namespace splitscope::ui {

/// Selection and current decision, with navigation through both.
class Navigation : public QObject {
    Q_OBJECT
 public:
    explicit Navigation(QObject* parent = nullptr);

    /// Switches to another snapshot without emitting signals before announce(). `keep_place` maps selection,
    /// history and decision by identity, as far as the new graph has them.
    void show(std::shared_ptr<const Shown> shown, bool keep_place);
    void announce() { selection_.announce(); }

    Selection& selection() { return selection_; }
    /// Identity of the selected tensor; empty if there is none.
    TensorIdentity selected() const;
    void select_tensor(TensorId tensor);
    /// Selects the next or previous node in execution order.
    void select_neighbour(int step);

    std::size_t decision_count() const { return shown_ ? shown_->decision_count() : 0; }
    void seek(std::size_t position);
    void step_decision(int step);
    void step_pass(int step);
    /// Moves to the next or previous decision on the selected tensor; false if there is none.
    bool step_on_tensor(int step);
    /// Moves to the next or previous decision that matches a breakpoint; false if there is none.
    bool run_to_stop(std::span<const DecisionStop> stops, int step);
    /// Positions before and after the last move.
    std::pair<std::size_t, std::size_t> last_move() const { return last_move_; }

 signals:
    /// The current decision has changed.
    void state_changed();

 private:
    std::shared_ptr<const Shown> shown_;
    std::pair<std::size_t, std::size_t> last_move_{0, 0};
    Selection selection_;
};

}  // namespace splitscope::ui
