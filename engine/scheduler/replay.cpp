// SPDX-License-Identifier: MIT
#include "engine/scheduler/replay.hpp"

#include <algorithm>
#include <utility>

namespace splitscope {

Replay::Replay(std::shared_ptr<const Schedule> schedule) : schedule_(std::move(schedule)) {
    backend_.resize(schedule_->graph->tensors.size());
    cause_.resize(backend_.size());
    pass_starts_.push_back({0, backend_, cause_});
    for (const Schedule::PassEnd& pass : schedule_->passes) {
        while (position_ < pass.decisions_end) apply(position_++);
        if (position_ > pass_starts_.back().position) pass_starts_.push_back({position_, backend_, cause_});
    }
    seek(0);
}

void Replay::seek(std::size_t position) {
    position = std::min(position, schedule_->decisions.size());
    const auto after = std::ranges::upper_bound(pass_starts_, position, {}, &Snapshot::position);
    const Snapshot& nearest = *std::prev(after);
    if (position < position_ || nearest.position > position_) {
        position_ = nearest.position;
        backend_ = nearest.backend;
        cause_ = nearest.cause;
    }
    while (position_ < position) apply(position_++);
}

void Replay::apply(std::size_t decision) {
    const Decision& d = schedule_->decisions[decision];
    if (schedule_->is_added(d.tensor)) return;
    backend_[d.tensor.index()] = d.to;
    if (d.cause.kind != CauseKind::none) cause_[d.tensor.index()] = d.cause;
}

}  // namespace splitscope
