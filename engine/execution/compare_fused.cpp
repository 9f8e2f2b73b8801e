// SPDX-License-Identifier: MIT
#include "engine/execution/compare_fused.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::int64_t kNone = -1;
constexpr std::byte kNotWritten{0xFF};  ///< NaN in floating-point types

/// Lets the backend omit results for the lifetime of this object.
class OmitsResults {
 public:
    explicit OmitsResults(Backend& backend) : backend_(backend) { backend_.keep_results(false); }
    ~OmitsResults() { backend_.keep_results(true); }
    OmitsResults(const OmitsResults&) = delete;
    OmitsResults& operator=(const OmitsResults&) = delete;

 private:
    Backend& backend_;
};

bool is_worse(const NodeComparison& a, const NodeComparison& b) {
    if (a.exceeds() != b.exceeds()) return a.exceeds();
    return !std::isnan(b.nmse) && !(a.nmse <= b.nmse);
}

}  // namespace

FusedComparison::FusedComparison(Backend& backend, const BoundGraph& graph, const GraphCopy& copy,
                                 const NodeComparisonOptions& options)
    : backend_(backend),
      original_(graph),
      copy_(copy),
      graph_(copy.graph()),
      options_(options),
      fuses_(backend.take_work().has_value()) {
    if (!fuses_) return;
    const std::size_t tensors = graph_.view().tensor_count();
    position_.assign(tensors, kNone);
    last_write_.assign(tensors, kNone);
    readers_.resize(tensors);
    original_of_.resize(tensors);
    const auto nodes = copy.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) position_[nodes[i].index()] = static_cast<std::int64_t>(i);
    for (const TensorId node : nodes) {
        for (const TensorId source : graph_.sources(node)) {
            if (source.valid()) readers_[source.index()].push_back(node);
        }
        const Tensor& t = graph_[node];
        if (!t.is_view() || is_view_op(t.op)) continue;
        std::int64_t& last = last_write_[t.view_src.index()];
        if (last == kNone && position_[t.view_src.index()] == kNone)
            written_.push_back({t.view_src, read(t.view_src)});
        last = position_[node.index()];
    }
    for (const TensorId node : graph.view().nodes()) {
        if (const TensorId own = copy.copy_of(node); own.valid()) original_of_[own.index()] = node;
    }
}

bool FusedComparison::run(const NodeComparisonObserver& observer, const JobContext& job) {
    if (!fuses_) return true;
    std::vector<Kernel> kernels = compute_fused();
    std::vector<const Kernel*> ends_at(copy_.nodes().size());
    for (const Kernel& kernel : kernels) {
        const auto last =
            std::ranges::max(kernel.nodes, {}, [&](TensorId node) { return position_[node.index()]; });
        ends_at[static_cast<std::size_t>(position_[last.index()])] = &kernel;
    }
    restore();
    for (const TensorId node : copy_.nodes()) {
        job.check();
        if (is_computed(node)) compute(std::array{node});
        const Kernel* const kernel = ends_at[static_cast<std::size_t>(position_[node.index()])];
        if (kernel == nullptr) continue;
        if (!observer(compare(*kernel, job))) return false;
        // Later nodes continue from the results of fused kernels, so that an error is that of one kernel.
        for (std::size_t i = 0; i < kernel->nodes.size(); ++i) {
            const TensorId result = kernel->nodes[i];
            if (stays(result, kernel->nodes) && is_read_elsewhere(result, kernel->nodes))
                tensor_set({graph_, result}, kernel->results[i]);
        }
    }
    return true;
}

bool FusedComparison::is_computed(TensorId node) const {
    const Tensor& t = graph_[node];
    return !is_view_op(t.op) && !is_empty(t) && backend_.supports_op({graph_.view(), node});
}

void FusedComparison::restore() const {
    for (const Written& written : written_) tensor_set({graph_, written.base}, written.before);
}

std::vector<FusedComparison::Kernel> FusedComparison::compute_fused() const {
    restore();
    std::vector<TensorId> nodes;
    for (const TensorId node : copy_.nodes()) {
        if (is_computed(node)) {
            // A result that no kernel writes must not look right.
            if (!graph_[node].is_view())
                tensor_memset({graph_, node}, kNotWritten, 0, byte_size(graph_[node]));
        } else if (!is_view_op(graph_[node].op)) {
            continue;
        }
        nodes.push_back(node);
    }
    const OmitsResults omit(backend_);
    compute(nodes);
    std::vector<Kernel> kernels;
    if (std::optional<DeviceWork> work = backend_.take_work()) {
        for (FusedKernel& fused : work->fused) {
            Kernel& kernel = kernels.emplace_back();
            for (const TensorId node : fused.nodes) kernel.results.push_back(read(node));
            kernel.nodes = std::move(fused.nodes);
        }
    }
    return kernels;
}

NodeComparison FusedComparison::compare(const Kernel& kernel, const JobContext& job) const {
    NodeComparison worst;
    for (std::size_t i = 0; i < kernel.nodes.size(); ++i) {
        const TensorId node = kernel.nodes[i];
        const Tensor& t = graph_[node];
        if (!stays(node, kernel.nodes) || !is_read_elsewhere(node, kernel.nodes) || !can_show_values(t.type))
            continue;
        const ValueDifference difference = compare_values(t, kernel.results[i], t, read(node), job);
        NodeComparison result;
        result.tensor = original_of_[node.index()];
        result.tolerance = tolerance_of(node, kernel.nodes);
        result.nmse = difference.nmse;
        result.largest = difference.largest;
        result.largest_at = difference.largest_at;
        result.differing = difference.differing;
        result.both_nan = difference.both_nan;
        result.count = element_count(t);
        if (!worst.tensor.valid() || is_worse(result, worst)) worst = result;
    }
    for (const TensorId node : kernel.nodes) worst.fused.push_back(original_of_[node.index()]);
    if (!worst.tensor.valid()) worst.tensor = worst.fused.back();
    return worst;
}

bool FusedComparison::is_read_elsewhere(TensorId node, std::span<const TensorId> kernel) const {
    if (graph_[node].is_output() || readers_[node.index()].empty()) return true;
    return std::ranges::any_of(readers_[node.index()], [&](TensorId reader) {
        if (!is_view_op(graph_[reader].op)) return std::ranges::find(kernel, reader) == kernel.end();
        const bool is_read = graph_[reader].is_output() || !readers_[reader.index()].empty();
        return is_read && is_read_elsewhere(reader, kernel);
    });
}

bool FusedComparison::stays(TensorId node, std::span<const TensorId> kernel) const {
    const TensorId base = graph_.view().memory_of(node);
    return std::ranges::any_of(
        kernel, [&](TensorId other) { return last_write_[base.index()] <= position_[other.index()]; });
}

double FusedComparison::tolerance_of(TensorId node, std::span<const TensorId> kernel) const {
    if (options_.tolerance) return *options_.tolerance;
    const auto of = [&](TensorId id) { return node_tolerance(original_, original_of_[id.index()]); };
    if (of(node) == 0) return 0;
    return of(std::ranges::max(kernel, {}, of));
}

std::vector<std::byte> FusedComparison::read(TensorId tensor) const {
    std::vector<std::byte> bytes(byte_size(graph_[tensor]));
    tensor_get({graph_, tensor}, bytes);
    return bytes;
}

void FusedComparison::compute(std::span<const TensorId> nodes) const {
    const Status status = backend_.compute(graph_, nodes);
    if (status == Status::success) return;
    if (status == Status::aborted) throw Cancelled();
    throw Error(ErrorKind::internal, msg::kComputationEnded(name_of(status)), backend_.name(),
                msg::kCompareOtherBackend);
}

}  // namespace splitscope
