// SPDX-License-Identifier: MIT
#include "engine/scheduler/split_pass.hpp"

#include <algorithm>
#include <tuple>

#include "engine/scheduler/messages.hpp"

namespace splitscope {
namespace {

using WeightSplit = SchedulerPolicy::WeightSplit;

class SplitPass {
 public:
    SplitPass(SchedulingContext& context, SplitSlots& slots, CopyTable& copies)
        : context_(context),
          policy_(context.policy()),
          schedule_(context.schedule()),
          nodes_(context.graph().nodes),
          slots_(slots),
          copies_(copies) {}

    void run() {
        schedule_.rewired_row.assign(context_.graph().tensors.size(), -1);
        const std::span<const TensorId> computing = context_.computing();
        open_first_split(computing.empty() ? TensorId() : computing.front());
        for (std::size_t i = end_of_run(0); i < computing.size(); i = end_of_run(i + 1)) {
            context_.step();
            visit(i, computing[i]);
        }
        split().end = nodes_.size();
        slots_.first_backend = schedule_.splits.front().backend;
        slots_.used = true;
        std::ranges::sort(schedule_.rewired, {},
                          [](const RewiredSource& r) { return std::tuple(r.node, r.slot); });
    }

 private:
    Split& split() { return schedule_.splits.back(); }
    std::size_t slot() const { return schedule_.splits.size() - 1; }
    const std::string& name(TensorId t) const { return context_.graph()[t].name; }

    void open_first_split(TensorId first_computing_node) {
        BackendId backend = slots_.used                          ? slots_.first_backend
                            : policy_.initial_split_backend == 0 ? context_.backends().front()
                                                                 : BackendId();
        if (first_computing_node.valid()) backend = context_.id(first_computing_node);
        schedule_.splits.push_back({backend, 0, 0, {}});
    }

    /// The first node from `i` on that does not simply continue the split: on its backend like all its
    /// sources, with nothing copied so far.
    std::size_t end_of_run(std::size_t i) {
        const Split& current = split();
        if (!current.backend.valid() || !current.inputs.empty() || schedule_.n_copies != 1) return i;
        const auto is_here = [&, here = current.backend](TensorId t) { return context_.id(t) == here; };
        const std::span<const TensorId> computing = context_.computing();
        for (; i < computing.size() && context_.all_of_node(computing[i], is_here); ++i) context_.step();
        return i;
    }

    void visit(std::size_t computing, TensorId node) {
        const BackendId backend = context_.id(node);
        if (!backend.valid()) {
            context_.stop_unplaced(msg::kNoBackendFor(name_of(context_.graph()[node].op), name(node)), node);
        }
        if (backend != split().backend || needs_new_split(node))
            open_split(context_.computing_positions()[computing], backend);
        const auto is_here = [&](TensorId t) { return context_.id(t) == backend; };
        if (schedule_.n_copies == 1 && context_.all_of_node(node, is_here)) return;
        const std::span<const TensorId> sources = context_.sources(node);
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (sources[j].valid()) read(node, static_cast<std::uint8_t>(j), sources[j]);
        }
    }

    bool needs_new_split(TensorId node) const {
        const Split& split = schedule_.splits.back();
        if (split.inputs.empty()) return false;
        const BackendId current = split.backend;
        const bool full = policy_.opens_split_when_full && is_full();
        if (policy_.splits_for_weights == WeightSplit::never && !full) return false;
        for (const TensorId source : context_.sources(node)) {
            if (!source.valid() || context_.id(source) == current) continue;
            if (policy_.splits_for_weights != WeightSplit::never && context_.in_weights_buffer(source)) {
                if (policy_.splits_for_weights == WeightSplit::ids_differ) return true;
                if (!context_.usable(source, current)) return true;
            }
            if (full && copies_.find(source, current) == nullptr && !context_.usable(source, current))
                return true;
        }
        return false;
    }

    bool is_full() const {
        const std::size_t inputs = schedule_.splits.back().inputs.size();
        if (!policy_.split_inputs_grow) return inputs == policy_.max_split_inputs;
        return slot() < slots_.capacities.size() && inputs >= slots_.capacities[slot()];
    }

    void open_split(std::size_t start, BackendId backend) {
        if (schedule_.splits.size() >= policy_.max_splits) {
            context_.stop(ErrorKind::limit, msg::kTooManySplits(policy_.max_splits, name(nodes_[start])),
                          nodes_[start]);
        }
        split().end = start;
        schedule_.splits.push_back({backend, start, start, {}});
    }

    void read(TensorId node, std::uint8_t source_slot, TensorId source) {
        const BackendId at = context_.id(source);
        if (!at.valid()) {
            context_.stop_unplaced(msg::kNoBackendForSource(name(source), name(node)), source);
        }
        if (schedule_.n_copies > 1 && context_.is_input(source) && copies_.find(source, at) == nullptr) {
            duplicate_user_input(source, at, node);
        }
        const BackendId current = split().backend;
        if (at == current || (!policy_.copies_usable_sources && context_.usable(source, current))) return;
        const CopyTable::Copies* copies = copies_.find(source, current);
        if (copies == nullptr) {
            add_split_input(node, source);
            copies = copies_.find(source, current);
        }
        rewire(schedule_, node, source_slot, source,
               (*copies)[static_cast<std::size_t>(schedule_.current_copy)]);
    }

    /// A user input is duplicated on its own backend for each pipeline copy; the original serves as the
    /// current copy.
    void duplicate_user_input(TensorId source, BackendId at, TensorId node) {
        CopyTable::Copies copies{};
        for (int c = 0; c < schedule_.n_copies; ++c) {
            if (c != schedule_.current_copy) {
                copies[static_cast<std::size_t>(c)] = add_copy(context_, source, at, c);
                continue;
            }
            copies[static_cast<std::size_t>(c)] = source;
            schedule_.extra_outputs.push_back(source);
            if (policy_.output_flag_reaches_view_source && context_.is_view(source)) {
                schedule_.extra_outputs.push_back(context_.view_src(source));
            }
            context_.decide(policy_.split_pass, source, at, {CauseKind::cpy, 0});
        }
        copies_.add(source, at, copies);
        if (schedule_.graph_inputs.size() >= policy_.max_graph_inputs) {
            context_.stop(ErrorKind::limit,
                          msg::kTooManyUserInputs(policy_.max_graph_inputs, name(source), name(node)),
                          source);
        }
        schedule_.graph_inputs.push_back(source);
    }

    void add_split_input(TensorId node, TensorId source) {
        copies_.add(source, split().backend, add_copies(context_, source, split().backend));
        if (policy_.split_inputs_grow) {
            grow_slot();
        } else if (split().inputs.size() >= policy_.max_split_inputs) {
            context_.stop(
                ErrorKind::limit,
                msg::kTooManySplitInputs(slot(), policy_.max_split_inputs, name(source), name(node)), source);
        }
        split().inputs.push_back(source);
    }

    /// A slot keeps its capacity for later graphs.
    void grow_slot() {
        if (slots_.capacities.size() <= slot()) slots_.capacities.resize(slot() + 1, 0);
        std::size_t& capacity = slots_.capacities[slot()];
        if (split().inputs.size() >= capacity)
            capacity = capacity == 0 ? policy_.max_split_inputs : capacity * 2;
    }

    SchedulingContext& context_;
    const SchedulerPolicy& policy_;
    Schedule& schedule_;
    const std::vector<TensorId>& nodes_;
    SplitSlots& slots_;
    CopyTable& copies_;
};

}  // namespace

void run_split_pass(SchedulingContext& context, SplitSlots& slots, CopyTable& copies) {
    SplitPass(context, slots, copies).run();
    context.end_pass(context.policy().split_pass);
}

}  // namespace splitscope
