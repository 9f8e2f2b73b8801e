// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/split_pass.hpp"

namespace splitscope {
namespace {

bool same_order(std::span<const TensorId> a, std::span<const TensorId> b) {
    // memcmp takes no null pointers, which empty spans have.
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_nodes(std::span<const TensorId> a, std::span<const TensorId> b) {
    std::vector<TensorId> sorted_a(a.begin(), a.end());
    std::vector<TensorId> sorted_b(b.begin(), b.end());
    std::ranges::sort(sorted_a);
    std::ranges::sort(sorted_b);
    return sorted_a == sorted_b;
}

std::vector<TensorId> ids_of(std::span<const ScheduledItem> items) {
    std::vector<TensorId> ids(items.size());
    std::ranges::transform(items, ids.begin(), &ScheduledItem::tensor);
    return ids;
}

class ScheduleGraph {
 public:
    ScheduleGraph(SchedulingContext& context, const CopyTable& copies)
        : context_(context), schedule_(context.schedule()), copies_(copies) {}

    void build() {
        std::size_t inputs = 0;
        for (const Split& split : schedule_.splits) inputs += split.inputs.size();
        schedule_.nodes.reserve(context_.graph().nodes.size() + 2 * inputs);
        for (const Split& split : schedule_.splits) add_split(split);
        if (context_.policy().schedules_leafs) add_leafs();
        schedule_.node_ids = ids_of(schedule_.nodes);
        schedule_.leaf_ids = ids_of(schedule_.leafs);
        context_.complete_facts();
    }

 private:
    void add_split(const Split& split) {
        context_.step();
        const auto current = static_cast<std::size_t>(schedule_.current_copy);
        for (const TensorId input : split.inputs) {
            if (context_.policy().has_dependency_views) {
                schedule_.nodes.push_back(
                    {add_dependency_view(input, context_.id(input)), context_.id(input)});
            }
            schedule_.nodes.push_back({(*copies_.find(input, split.backend))[current], split.backend});
        }
        const std::span<const TensorId> listed =
            std::span(context_.graph().nodes).subspan(split.start, split.end - split.start);
        if (!context_.policy().asks_backend_to_reorder || !split.backend.valid()) {
            add_nodes(listed);
            return;
        }
        ask_for_order(listed, split.backend);
        if (kept_.empty()) {
            add_nodes(wanted_);
            return;
        }
        for (const TensorId& node : wanted_) {
            add_nodes({&node, 1});
            for (const KeptTensor& k : kept_) {
                if (k.until != node) continue;
                schedule_.nodes.push_back({add_dependency_view(k.tensor, split.backend), split.backend});
            }
        }
    }

    void add_nodes(std::span<const TensorId> nodes) {
        std::vector<ScheduledItem>& items = schedule_.nodes;
        context_.for_each(nodes, [&](TensorId node) {
            items.push_back({node, placed(msg::kNodeUnplaced, node)});
        });
    }

    /// Sets wanted_ to a split's nodes in the backend's preferred order, kept_ to the results it wants kept.
    void ask_for_order(std::span<const TensorId> listed, BackendId id) {
        wanted_.resize(listed.size());
        std::ranges::copy(listed, wanted_.begin());
        kept_.clear();
        Backend& backend = *context_.live().backends[id.index()];
        backend.optimize_graph(view_of(listed), wanted_, kept_);
        if (!same_order(wanted_, listed) && !same_nodes(wanted_, listed)) {
            context_.stop(ErrorKind::internal, msg::kReorderLostNodes(backend.name()),
                          listed.empty() ? TensorId() : listed.front());
        }
    }

    GraphView view_of(std::span<const TensorId> nodes) const {
        return {context_.graph(),          schedule_.added, schedule_.rewired_row,
                schedule_.rewired_sources, nodes,           context_.graph().leafs};
    }

    /// A view of the original that keeps its memory until here.
    TensorId add_dependency_view(TensorId input, BackendId backend) {
        const Tensor& original = schedule_.tensor(input);
        Tensor view;
        view.name = cut_name(original.name + " (view)");
        view.type = original.type;
        view.ne = original.ne;
        view.nb = original.nb;
        view.src[0] = input;
        view.view_src = original.is_view() ? original.view_src : input;
        view.view_offs = original.is_view() ? original.view_offs : 0;
        schedule_.added.push_back(std::move(view));
        schedule_.added_info.push_back({AddedTensor::Kind::dependency_view, input, backend, 0});
        return TensorId(context_.graph().tensors.size() + schedule_.added.size() - 1);
    }

    void add_leafs() {
        if (schedule_.n_copies > 1) {
            for (const TensorId input : schedule_.graph_inputs) add_copies(input, context_.id(input));
            for (const Split& split : schedule_.splits) {
                for (const TensorId input : split.inputs) add_copies(input, split.backend);
            }
        }
        schedule_.leafs.reserve(schedule_.leafs.size() + context_.graph().leafs.size());
        for (const TensorId leaf : context_.graph().leafs)
            schedule_.leafs.push_back({leaf, placed(msg::kLeafUnplaced, leaf)});
    }

    void add_copies(TensorId tensor, BackendId backend) {
        const CopyTable::Copies& copies = *copies_.find(tensor, backend);
        for (int c = 0; c < schedule_.n_copies; ++c) {
            schedule_.leafs.push_back({copies[static_cast<std::size_t>(c)], backend});
        }
    }

    BackendId placed(const Sentence<Name>& unplaced, TensorId tensor) {
        const BackendId backend = context_.id(tensor);
        if (!backend.valid() && context_.policy().schedules_leafs) {
            context_.stop_unplaced(unplaced(context_.graph()[tensor].name), tensor);
        }
        return backend;
    }

    SchedulingContext& context_;
    Schedule& schedule_;
    const CopyTable& copies_;
    std::vector<TensorId> wanted_;  ///< of the current split, as is kept_
    std::vector<KeptTensor> kept_;
};

}  // namespace

void build_schedule_graph(SchedulingContext& context, const CopyTable& copies) {
    ScheduleGraph(context, copies).build();
}

}  // namespace splitscope
