// SPDX-License-Identifier: MIT
#include "engine/attach/compare_program.hpp"

#include <array>
#include <memory>
#include <utility>

#include "backends/interface/tensor_access.hpp"
#include "engine/attach/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/memory/context_allocator.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// One node with its operands as leafs, in a backend's memory.
class SingleNode {
 public:
    SingleNode(const Graph& graph, TensorId node, Backend& backend) : backend_(backend) {
        Tensor single = graph[node];
        single.view_src = {};
        single.view_offs = 0;
        single.buffer = {};
        std::map<TensorId, TensorId> known;
        for (TensorId& source : single.src) {
            if (!source.valid()) continue;
            const auto [place, inserted] = known.try_emplace(source, graph_.tensors.size());
            if (inserted) {
                Tensor leaf = graph[source];
                leaf.op = Op::none;
                leaf.src = {};
                leaf.view_src = {};
                leaf.view_offs = 0;
                leaf.buffer = {};
                graph_.leafs.push_back(place->second);
                graph_.tensors.push_back(std::move(leaf));
                originals_.push_back(source);
            }
            source = place->second;
        }
        node_ = TensorId(graph_.tensors.size());
        graph_.nodes.push_back(node_);
        graph_.tensors.push_back(std::move(single));
        places_.resize(graph_.tensors.size());
        bound_ = std::make_unique<BoundGraph>(GraphView(graph_), places_);
    }
    SingleNode(const SingleNode&) = delete;
    SingleNode& operator=(const SingleNode&) = delete;

    OpSupport support() const { return backend_.supports_op({bound_->view(), node_}); }
    const BoundGraph& graph() const { return *bound_; }
    TensorId node() const { return node_; }
    const std::vector<TensorId>& operands() const { return originals_; }
    void allocate() {
        std::vector<TensorId> all;
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) all.emplace_back(i);
        buffer_ = allocate_context(allocation_policy(Generation::g2026_08), backend_.default_buffer_type(),
                                   *bound_, all);
    }
    void set_operand(std::size_t number, std::span<const std::byte> bytes) {
        tensor_set({*bound_, TensorId(number)}, bytes);
    }
    std::vector<std::byte> compute() {
        const std::array nodes{node_};
        const Status status = backend_.compute(*bound_, nodes);
        if (status == Status::aborted) throw Cancelled();
        if (status != Status::success) {
            throw Error(ErrorKind::internal, msg::kKernelFailed(name_of(status)), graph_[node_].name);
        }
        std::vector<std::byte> bytes(byte_size(graph_[node_]));
        tensor_get({*bound_, node_}, bytes);
        return bytes;
    }

 private:
    Backend& backend_;
    Graph graph_;
    std::vector<TensorId> originals_;
    TensorId node_;
    std::vector<TensorPlace> places_;
    std::unique_ptr<BoundGraph> bound_;
    std::unique_ptr<Buffer> buffer_;
};

/// The result covers only part of the memory it is in.
bool writes_into_more(const Graph& graph, const Tensor& node) {
    if (node.op == Op::cpy || node.op == Op::set_rows || node.op == Op::set || node.op == Op::acc)
        return true;
    return node.is_view() && graph[node.view_src].op == Op::none;
}

/// The tensor that owns a tensor's memory.
TensorId memory_of(const Graph& graph, TensorId tensor) {
    const Tensor& t = graph[tensor];
    return t.is_view() ? t.view_src : tensor;
}

}  // namespace

/// The operand's values when the node was computed. Results were saved when they were computed; other tensors
/// (weights, inputs, caches) are unchanged.
std::optional<std::vector<std::byte>> ProgramComparison::operand(AttachedProgram& program, const Graph& graph,
                                                                 TensorId tensor,
                                                                 const JobContext& job) const {
    const Tensor& t = graph[tensor];
    const auto own = results_.find(tensor);
    if (own != results_.end()) return own->second;
    const std::size_t size = byte_size(t);
    if (t.is_view()) {
        const auto base = results_.find(t.view_src);
        if (base != results_.end()) {
            const auto offset = static_cast<std::size_t>(t.view_offs);
            const std::vector<std::byte>& bytes = base->second;
            if (offset > bytes.size() || size > bytes.size() - offset) return std::nullopt;
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
            return std::vector<std::byte>(begin, begin + static_cast<std::ptrdiff_t>(size));
        }
    }
    try {
        TensorCapture capture = program.read(tensor, kMaxOperandBytes, job);
        if (capture.state != TensorState::computed) return std::nullopt;
        return std::move(capture.bytes);
    } catch (const Error& error) {
        // Repacked by the backend.
        if (error.kind() != ErrorKind::unsupported) throw;
        return std::nullopt;
    }
}

void ProgramComparison::begin(std::uint64_t computation, const Graph& graph) {
    computation_ = computation;
    results_.clear();
    last_reader_.assign(graph.tensors.size(), {});
    for (const TensorId node : graph.nodes) {
        for (const TensorId source : graph[node].src) {
            if (source.valid()) last_reader_[memory_of(graph, source).index()] = node;
        }
    }
}

/// Results of a long prompt together need much more memory than the program, which reuses it.
void ProgramComparison::drop_results_read_by(const Graph& graph, TensorId node) {
    std::erase_if(results_, [&](const auto& result) {
        return last_reader_[memory_of(graph, result.first).index()] == node;
    });
}

void ProgramComparison::forget(const Graph& graph, TensorId changed) {
    const TensorId memory = memory_of(graph, changed);
    std::erase_if(results_, [&](const auto& result) { return memory_of(graph, result.first) == memory; });
}

std::optional<NodeComparison> ProgramComparison::compare(AttachedProgram& program, const AttachStop& stop,
                                                         const JobContext& job) {
    if (!stop.tensor.valid()) return std::nullopt;
    const Graph& graph = *stop.graph->graph;
    if (computation_ != stop.computation) begin(stop.computation, graph);
    const Tensor& node = graph[stop.tensor];
    if (writes_into_more(graph, node)) {
        forget(graph, stop.tensor);
        drop_results_read_by(graph, stop.tensor);
        return std::nullopt;
    }
    const std::vector<std::byte> theirs = program.read(stop.tensor, kMaxOperandBytes, job).bytes;

    NodeComparison result;
    result.tensor = stop.tensor;
    result.count = element_count(node);
    SingleNode single(graph, stop.tensor, kernels_);
    result.tolerance = node_tolerance(single.graph(), single.node());
    result.support = single.support();
    bool known = true;
    if (result.support && can_show_values(node.type)) {
        single.allocate();
        for (std::size_t i = 0; known && i < single.operands().size(); ++i) {
            const auto bytes = operand(program, graph, single.operands()[i], job);
            known = bytes.has_value();
            if (known) single.set_operand(i, *bytes);
        }
        if (known) {
            const std::vector<std::byte> ours = single.compute();
            const ValueDifference difference = compare_values(node, theirs, node, ours, job);
            result.nmse = difference.nmse;
            result.largest = difference.largest;
            result.largest_at = difference.largest_at;
            result.differing = difference.differing;
            compare_with_exact(result, single.graph(), single.node(), difference, theirs, ours, job);
        }
    }
    drop_results_read_by(graph, stop.tensor);
    if (last_reader_[memory_of(graph, stop.tensor).index()].valid()) results_[stop.tensor] = theirs;
    if (!known) return std::nullopt;
    return result;
}

}  // namespace splitscope
