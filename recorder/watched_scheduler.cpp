// SPDX-License-Identifier: MIT
#include "recorder/watched_scheduler.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace splitscope::recorder {
namespace {

bool computes_nothing(const Api& api, const TensorFacts& t) {
    const std::string_view name = api.op_name(t.op);
    return name == "NONE" || name == "VIEW" || name == "RESHAPE" || name == "PERMUTE" ||
           name == "TRANSPOSE" || std::ranges::any_of(t.ne, [](std::int64_t n) { return n <= 0; });
}

}  // namespace

void WatchedScheduler::set_graph(const Api& api, BoundSnapshot bound) {
    const auto nodes = static_cast<std::size_t>(bound.snapshot.nodes);
    computes.assign(nodes, false);
    for (std::size_t i = 0; i < nodes; ++i) {
        const auto place = static_cast<std::size_t>(bound.snapshot.leafs) + i;
        computes[i] = !computes_nothing(api, bound.snapshot.tensors[place]);
    }
    split_of_node.assign(bound.splits.empty() ? 0 : nodes, -1);
    for (std::size_t s = 0; s < bound.splits.size(); ++s) {
        for (int i = bound.splits[s].start; i < bound.splits[s].end; ++i) {
            split_of_node[static_cast<std::size_t>(i)] = static_cast<int>(s);
        }
    }
    graph = std::move(bound);
}

void WatchedScheduler::forget() {
    own = nullptr;
    own_user = nullptr;
    own_handler_is_set = false;
    graph.reset();
}

int WatchedScheduler::node_of(TensorPtr tensor) const {
    const int node = graph->snapshot.id_of(tensor) - graph->snapshot.leafs;
    return node < 0 || node >= graph->snapshot.nodes ? -1 : node;
}

void WatchedScheduler::expect_nodes() {
    asked = 0;
    order.assign(static_cast<std::size_t>(graph->snapshot.nodes), -1);
    nodes_in_order.clear();
    step_end = 0;
}

void WatchedScheduler::note_asked(int node) {
    ++asked;
    if (node < 0) return;
    order[static_cast<std::size_t>(node)] = asked;
    nodes_in_order.push_back(node);
}

std::size_t WatchedScheduler::next_split_end() const {
    for (const RecordedSplit& split : graph->splits) {
        if (split.end > asked) return static_cast<std::size_t>(split.end);
    }
    return static_cast<std::size_t>(graph->snapshot.nodes);
}

bool WatchedScheduler::split_ends() const {
    const std::size_t end = step_end != 0           ? step_end
                            : graph->splits.empty() ? static_cast<std::size_t>(graph->snapshot.nodes)
                                                    : static_cast<std::size_t>(graph->splits.front().end);
    return static_cast<std::size_t>(asked) == end;
}

void WatchedScheduler::close_part(std::chrono::steady_clock::time_point end) {
    if (!open) return;
    open->took = end - open->start;
    events.push_back(*open);
    open.reset();
}

}  // namespace splitscope::recorder
