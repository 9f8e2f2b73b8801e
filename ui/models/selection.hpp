// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope::ui {

/// The selection shared by all views: tensor, split and decision, with a history. Changing only the decision
/// adds no history entry.
class Selection : public QObject {
    Q_OBJECT
 public:
    struct Place {
        TensorId tensor;
        SplitId split;
        std::size_t decision = 0;  ///< number of applied decisions
    };

    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    TensorId tensor() const { return now_.tensor; }
    SplitId split() const { return now_.split; }
    std::size_t decision() const { return now_.decision; }

    /// `split`: the tensor's split; none for a leaf.
    void select_tensor(TensorId tensor, SplitId split);
    void select_split(SplitId split);
    void set_decision(std::size_t decision);
    /// Clears everything for another file. Emits no signals before announce(), so that views can be updated
    /// first.
    void reset(const Place& place);
    /// As reset(), for another graph of the same file: keeps history entries that exist there.
    void move_to_graph(const Place& place,
                       const std::function<std::optional<Place>(const Place&)>& place_there);
    void announce();

    bool can_go_back() const { return !back_.empty(); }
    bool can_go_forward() const { return !forward_.empty(); }
    void go_back();
    void go_forward();

 signals:
    void tensor_changed();
    void split_changed();
    void decision_changed();
    void history_changed();

 private:
    void remember();
    void move_to(const Place& place);

    Place now_;
    std::vector<Place> back_;
    std::vector<Place> forward_;
};

}  // namespace splitscope::ui
