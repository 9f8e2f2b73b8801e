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

/// Where the views are in what is shown: the selection, the decision, and the ways through both.
class Navigation : public QObject {
    Q_OBJECT
 public:
    explicit Navigation(QObject* parent = nullptr);

    /// Moves to another snapshot; nothing is announced before announce(). `keep_place`: the selection, its
    /// history and the decision are carried over by identity where the new graph has them.
    void show(std::shared_ptr<const Shown> shown, bool keep_place);
    void announce() { selection_.announce(); }

    Selection& selection() { return selection_; }
    /// Of the selected tensor; empty when none is.
    TensorIdentity selected() const;
    void select_tensor(TensorId tensor);
    /// The node after or before the current one in execution order.
    void select_neighbour(int step);

    std::size_t decision_count() const { return shown_ ? shown_->decision_count() : 0; }
    void seek(std::size_t position);
    void step_decision(int step);
    void step_pass(int step);
    /// To the next decision (or the one before) on the selected tensor; false when there is none.
    bool step_on_tensor(int step);
    /// To the next decision (or the one before) that one of these waits for; false when there is none.
    bool run_to_stop(std::span<const DecisionStop> stops, int step);
    /// Positions before and after the last move through the decisions.
    std::pair<std::size_t, std::size_t> last_move() const { return last_move_; }

 signals:
    /// The replay moved to another decision.
    void state_changed();

 private:
    std::shared_ptr<const Shown> shown_;
    std::pair<std::size_t, std::size_t> last_move_{0, 0};
    Selection selection_;
};

}  // namespace splitscope::ui
