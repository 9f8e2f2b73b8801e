// SPDX-License-Identifier: MIT
#include "engine/execution/split_plans.hpp"

#include "engine/support/error.hpp"

namespace splitscope {

Status SplitPlans::compute(SplitId split, Backend& backend, const BoundGraph& graph,
                           std::span<const TensorId> nodes) {
    if (!backend.has_plans()) return backend.compute_async(graph, nodes);
    if (entries_.size() <= split.index()) entries_.resize(split.index() + 1);
    Entry& entry = entries_[split.index()];
    if (entry.computed && entry.plan == nullptr) {
        try {
            entry.plan = backend.create_plan(graph, nodes);
            ++made_;
        } catch (const Error& error) {
            // A repeated computation may use a plan with its own work buffer.
            if (error.kind() != ErrorKind::memory) throw;
        }
    }
    entry.computed = true;
    if (entry.plan == nullptr) return backend.compute_async(graph, nodes);
    ++computed_;
    return backend.compute_plan(*entry.plan);
}

}  // namespace splitscope
