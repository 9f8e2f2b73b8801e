// SPDX-License-Identifier: MIT
#include "recorder/debugger_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace splitscope::recorder {

using channel::BodyReader;
using channel::Kind;
using channel::RunTo;
using channel::Times;

DebuggerRequests::Taken DebuggerRequests::take(const channel::Frame& message, WatchedScheduler* paused) {
    BodyReader body(message.body);
    switch (message.kind) {
        case Kind::epoch: {
            const auto epoch = body.get<std::uint32_t>();
            if (!body.whole() || epoch == 0) return Taken::malformed;
            epoch_ = epoch;
            plans_.clear();
            return Taken::yes;
        }
        case Kind::plan: {
            auto plan = read_stop_plan(body);
            if (!plan) return Taken::malformed;
            const int graph = plan->graph;
            plans_.insert_or_assign(graph, std::move(*plan));
            return Taken::yes;
        }
        case Kind::resume: {
            const auto to = body.get<RunTo>();
            const auto graph = body.get<std::int32_t>();
            const auto node = body.get<std::int32_t>();
            if (!body.whole() || to > RunTo::node) return Taken::malformed;
            run_to_ = to;
            target_graph_ = graph;
            target_node_ = node;
            pausing_ = false;
            if (to == RunTo::next_split && paused != nullptr) paused->step_end = paused->next_split_end();
            return Taken::resume;
        }
        case Kind::pause:
            pausing_ = paused == nullptr;
            return Taken::yes;
        case Kind::times: {
            const auto times = body.get<Times>();
            if (!body.whole() || times > Times::nodes) return Taken::malformed;
            times_ = times;
            return Taken::yes;
        }
        case Kind::guard: {
            const auto guards = body.get<std::uint32_t>();
            if (!body.whole() || guards > 1) return Taken::malformed;
            guards_ = guards != 0;
            return Taken::yes;
        }
        default:
            return Taken::no;
    }
}

void DebuggerRequests::clear() {
    pausing_ = false;
    guards_ = false;
    run_to_ = RunTo::breakpoint;
    plans_.clear();
}

void DebuggerRequests::note_pause() {
    pausing_ = false;
    run_to_ = RunTo::breakpoint;
}

const StopPlan* DebuggerRequests::plan_of(const WatchedScheduler& w) const {
    const auto found = plans_.find(w.graph->number);
    return found == plans_.end() || found->second.epoch != epoch_ ? nullptr : &found->second;
}

bool DebuggerRequests::lacks_plan(const WatchedScheduler& w) {
    constexpr std::size_t kMaxPlans = 512;
    if (plans_.size() > kMaxPlans) plans_.clear();
    return epoch_ != 0 && plan_of(w) == nullptr;
}

bool DebuggerRequests::observe(const WatchedScheduler& w) const {
    const StopPlan* const plan = plan_of(w);
    return (plan != nullptr && plan->applies_to(w.computation)) || pausing_ || run_to_ != RunTo::breakpoint ||
           times_ != Times::calls;
}

bool DebuggerRequests::is_target(const WatchedScheduler& w, int node) const {
    return run_to_ == RunTo::node && target_graph_ == w.graph->number && target_node_ == node;
}

bool DebuggerRequests::wants(const WatchedScheduler& w, int node) const {
    if (node < 0) return false;
    if (run_to_ == RunTo::next_split && w.split_ends()) return true;
    if (!w.computes[static_cast<std::size_t>(node)]) return false;
    if (pausing_ || run_to_ == RunTo::next_node || times_ == Times::nodes || is_target(w, node)) return true;
    const StopPlan* const plan = plan_of(w);
    return plan != nullptr && plan->wants(node, w.computation);
}

std::optional<StopCause> DebuggerRequests::cause_after(const WatchedScheduler& w, int node,
                                                       const std::function<bool(const StopRule&)>& meets,
                                                       std::vector<std::uint32_t>& counted) {
    if (pausing_) return StopCause{channel::PauseReason::pause};
    if (const StopPlan* const plan = plan_of(w)) {
        for (const StopRule& rule : plan->rules) {
            if (std::ranges::find(counted, rule.breakpoint) != counted.end()) continue;
            if (!rule.wants(node) || !rule.applies_to(w.computation) || !meets(rule)) continue;
            counted.push_back(rule.breakpoint);
            if (++hits_[rule.breakpoint] <= rule.ignored) continue;
            return StopCause{channel::PauseReason::breakpoint, rule.breakpoint};
        }
    }
    if (run_to_ == RunTo::next_node || (run_to_ == RunTo::next_split && w.split_ends()))
        return StopCause{channel::PauseReason::step};
    if (is_target(w, node)) return StopCause{channel::PauseReason::run_to};
    return std::nullopt;
}

std::uint64_t DebuggerRequests::hits(std::uint32_t breakpoint) const {
    const auto found = hits_.find(breakpoint);
    return found == hits_.end() ? 0 : found->second;
}

}  // namespace splitscope::recorder
