// SPDX-License-Identifier: MIT
#include "engine/execution/split_plans.hpp"

#include "engine/support/error.hpp"

namespace splitscope {

SplitPlans::Entry& SplitPlans::entry_of(SplitId split) {
    if (entries_.size() <= split.index()) entries_.resize(split.index() + 1);
    return entries_[split.index()];
}

void SplitPlans::make(Entry& entry, Backend& backend, const BoundGraph& graph,
                      std::span<const TensorId> nodes) {
    try {
        entry.plan = backend.create_plan(graph, nodes);
        if (entry.plan != nullptr) ++made_;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::memory) throw;
    }
}

void SplitPlans::prepare(SplitId split, Backend& backend, const BoundGraph& graph,
                         std::span<const TensorId> nodes) {
    if (backend.has_plans() && backend.plans_ahead()) make(entry_of(split), backend, graph, nodes);
}

Status SplitPlans::compute(SplitId split, Backend& backend, const BoundGraph& graph,
                           std::span<const TensorId> nodes) {
    if (!backend.has_plans()) return backend.compute_async(graph, nodes);
    Entry& entry = entry_of(split);
    if (entry.computed && entry.plan == nullptr) make(entry, backend, graph, nodes);
    entry.computed = true;
    if (entry.plan == nullptr) return backend.compute_async(graph, nodes);
    ++computed_;
    return backend.compute_plan(*entry.plan);
}

}  // namespace splitscope
