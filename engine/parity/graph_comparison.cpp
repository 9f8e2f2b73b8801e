// SPDX-License-Identifier: MIT
#include "engine/parity/graph_comparison.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/execution/graph_copy.hpp"
#include "engine/execution/messages.hpp"
#include "engine/parity/messages.hpp"
#include "engine/scheduler/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {

namespace {

/// Makes the copy; null if allocation fails.
std::unique_ptr<GraphCopy> try_copy(const BoundGraph& graph, Backend& backend, Generation generation) {
    try {
        return std::make_unique<GraphCopy>(graph, backend, generation);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::memory) return nullptr;
        throw;
    }
}

void require_same_nodes(const BoundTensor& a, const BoundTensor& b) {
    if (a.tensor().op == b.tensor().op && same_layout(a.tensor(), b.tensor())) return;
    throw Error(ErrorKind::internal, msg::kCopyDiffers(name_of(b.tensor().op), name_of(a.tensor().op)),
                a.tensor().name, msg::kReportThis);
}

void compute_on(Backend& backend, const BoundGraph& graph, std::span<const TensorId> nodes) {
    const Status status = backend.compute(graph, nodes);
    if (status == Status::success) return;
    throw Error(ErrorKind::internal, msg::kComputationEnded(name_of(status)), backend.name(),
                msg::kCompareOtherBackend);
}

}  // namespace

bool compare_backends(Backend& first, Backend& second, const BoundGraph& graph,
                      const CompareCallback& callback, Generation generation) {
    const auto copy = try_copy(graph, second, generation);
    if (copy == nullptr) return false;
    const auto nodes = graph.view().nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const BoundTensor a{graph, nodes[i]};
        const BoundTensor b{copy->graph(), copy->nodes()[i]};
        require_same_nodes(a, b);
        compute_on(first, graph, nodes.subspan(i, 1));
        compute_on(second, copy->graph(), copy->nodes().subspan(i, 1));
        if (is_view_op(a.tensor().op)) continue;
        if (!callback(i, a, b)) break;
    }
    return true;
}

bool compare_backends_at(Backend& first, Backend& second, const BoundGraph& graph,
                         std::span<const TensorId> shown, const CompareCallback& callback,
                         Generation generation) {
    const auto copy = try_copy(graph, second, generation);
    if (copy == nullptr) return false;
    const auto nodes = graph.view().nodes();
    std::vector<bool> wanted(graph.view().tensor_count());
    for (const TensorId id : shown) wanted[id.index()] = true;
    if (std::ranges::none_of(nodes, [&](TensorId id) { return wanted[id.index()]; })) {
        throw Error(ErrorKind::unknown, msg::kNoNodeToCompare, msg::kPlaceComparison, msg::kNameNodes);
    }
    compute_on(first, graph, nodes);
    compute_on(second, copy->graph(), copy->nodes());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (wanted[nodes[i].index()]) callback(i, {graph, nodes[i]}, {copy->graph(), copy->nodes()[i]});
    }
    return true;
}

}  // namespace splitscope
