// SPDX-License-Identifier: MIT
#include "engine/execution/compare_fused.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

class FusedComparison {
 public:
    FusedComparison(Backend& backend, const BoundGraph& graph, const GraphCopy& copy,
                    const NodeComparisonOptions& options)
        : backend_(backend), original_(graph), copy_(copy), graph_(copy.graph()), options_(options) {
        const auto nodes = copy.nodes();
        const std::size_t tensors = graph_.view().tensor_count();
        position_.assign(tensors, kNone);
        readers_.resize(tensors);
        last_write_.assign(tensors, kNone);
        original_of_.resize(tensors);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const TensorId node = nodes[i];
            position_[node.index()] = static_cast<std::int64_t>(i);
            for (const TensorId source : graph_.sources(node)) {
                if (source.valid()) readers_[source.index()].push_back(node);
            }
            if (writes_into_another(node))
                last_write_[graph_[node].view_src.index()] = position_[node.index()];
        }
        for (const TensorId node : graph.view().nodes()) {
            if (const TensorId own = copy.copy_of(node); own.valid()) original_of_[own.index()] = node;
        }
    }

    /// The nodes of each kernel that computes several.
    std::vector<std::vector<TensorId>> compute() {
        if (!backend_.take_work()) return {};
        std::vector<TensorId> nodes;
        for (const TensorId node : copy_.nodes()) {
            if (!is_view_op(graph_[node].op) && !backend_.supports_op({graph_.view(), node})) continue;
            nodes.push_back(node);
            // A result that no kernel writes must not look right.
            if (!graph_[node].is_view() && !is_empty(graph_[node]))
                tensor_memset({graph_, node}, kNotWritten, 0, byte_size(graph_[node]));
        }
        const KeepsResults omit(backend_);
        compute(nodes);
        const std::optional<DeviceWork> work = backend_.take_work();
        return work ? work->fused : std::vector<std::vector<TensorId>>();
    }

    /// Whether its nodes can be computed again.
    bool keeps_sources(std::span<const TensorId> kernel) const {
        const std::int64_t first = position_[kernel.front().index()];
        return std::ranges::all_of(kernel, [&](TensorId node) {
            // These write into a source that they do not read.
            const bool into_source = graph_[node].op == Op::cpy || graph_[node].op == Op::set_rows;
            return std::ranges::all_of(graph_.sources(node), [&](TensorId source) {
                if (!source.valid()) return true;
                const TensorId base = graph_.view().memory_of(source);
                return (into_source && base == graph_[node].view_src) || last_write_[base.index()] < first;
            });
        });
    }

    /// The result with the largest error.
    NodeComparison compare(const std::vector<TensorId>& kernel, const JobContext& job) const {
        std::vector<std::vector<std::byte>> fused;
        for (const TensorId node : kernel) fused.push_back(read(node));
        // All in order, as results may be views of one another.
        for (const TensorId node : kernel) compute(std::array{node});
        NodeComparison worst;
        for (std::size_t i = 0; i < kernel.size(); ++i) {
            const TensorId node = kernel[i];
            const Tensor& t = graph_[node];
            if (!is_read_elsewhere(node, kernel) || !can_show_values(t.type)) continue;
            const ValueDifference difference = compare_values(t, fused[i], t, read(node), job);
            NodeComparison result;
            result.tensor = original_of_[node.index()];
            result.nmse = difference.nmse;
            result.largest = difference.largest;
            result.largest_at = difference.largest_at;
            result.differing = difference.differing;
            result.count = element_count(t);
            result.tolerance = tolerance_of(kernel);
            if (!worst.tensor.valid() || !(result.nmse <= worst.nmse)) worst = result;
        }
        worst.fused = originals_of(kernel);
        return worst;
    }
    NodeComparison omitted(std::span<const TensorId> kernel) const {
        NodeComparison result;
        result.fused = originals_of(kernel);
        result.tensor = result.fused.back();
        result.tolerance = tolerance_of(kernel);
        return result;
    }

 private:
    static constexpr std::int64_t kNone = -1;
    static constexpr std::byte kNotWritten{0xFF};  ///< NaN in floating-point types

    /// Lets the backend omit results for the lifetime of this object.
    class KeepsResults {
     public:
        explicit KeepsResults(Backend& backend) : backend_(backend) { backend_.keep_results(false); }
        ~KeepsResults() { backend_.keep_results(true); }
        KeepsResults(const KeepsResults&) = delete;
        KeepsResults& operator=(const KeepsResults&) = delete;

     private:
        Backend& backend_;
    };

    std::vector<TensorId> originals_of(std::span<const TensorId> nodes) const {
        std::vector<TensorId> originals;
        for (const TensorId node : nodes) originals.push_back(original_of_[node.index()]);
        return originals;
    }
    bool writes_into_another(TensorId node) const {
        return graph_[node].is_view() && !is_view_op(graph_[node].op);
    }
    /// Whether a node outside of the kernel reads the result, perhaps through a view, or none does.
    bool is_read_elsewhere(TensorId node, std::span<const TensorId> kernel) const {
        if (graph_[node].is_output() || readers_[node.index()].empty()) return true;
        return std::ranges::any_of(readers_[node.index()], [&](TensorId reader) {
            if (is_view_op(graph_[reader].op))
                return !readers_[reader.index()].empty() && is_read_elsewhere(reader, kernel);
            return std::ranges::find(kernel, reader) == kernel.end();
        });
    }
    double tolerance_of(std::span<const TensorId> kernel) const {
        if (options_.tolerance) return *options_.tolerance;
        double tolerance = 0;
        for (const TensorId node : kernel)
            tolerance = std::max(tolerance, node_tolerance(original_, original_of_[node.index()]));
        return tolerance;
    }
    std::vector<std::byte> read(TensorId node) const {
        std::vector<std::byte> bytes(byte_size(graph_[node]));
        tensor_get({graph_, node}, bytes);
        return bytes;
    }
    void compute(std::span<const TensorId> nodes) const {
        const Status status = backend_.compute(graph_, nodes);
        if (status == Status::success) return;
        if (status == Status::aborted) throw Cancelled();
        throw Error(ErrorKind::internal, msg::kComputationEnded(name_of(status)), backend_.name(),
                    msg::kCompareOtherBackend);
    }

    Backend& backend_;
    const BoundGraph& original_;
    const GraphCopy& copy_;
    const BoundGraph& graph_;
    const NodeComparisonOptions& options_;
    std::vector<std::int64_t> position_;          ///< among the nodes
    std::vector<std::vector<TensorId>> readers_;  ///< by tensor of the copy
    std::vector<std::int64_t> last_write_;        ///< by base: position of the last node that writes into it
    std::vector<TensorId> original_of_;
};

}  // namespace

bool compare_fused(Backend& backend, const BoundGraph& graph, const GraphCopy& copy,
                   const NodeComparisonOptions& options, const NodeComparisonObserver& observer,
                   const JobContext& job) {
    FusedComparison comparison(backend, graph, copy, options);
    for (const std::vector<TensorId>& kernel : comparison.compute()) {
        job.check();
        const bool again = comparison.keeps_sources(kernel);
        if (!observer(again ? comparison.compare(kernel, job) : comparison.omitted(kernel))) return false;
    }
    return true;
}

}  // namespace splitscope
