// SPDX-License-Identifier: MIT
#include "tests/bench/reference_scheduler.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace splitscope::bench {
namespace {

using ggml::Library;
using Layout = recorder::TensorLayout;

int number_of(const Library& l, Op op) {
    if (op == Op::none) return 0;
    constexpr int kMost = 96;
    for (int number = 0; number < kMost; ++number) {
        if (name_of(op) == std::string_view(l.op_name(number))) return number;
    }
    throw std::runtime_error(std::string("the engine has no operation ").append(name_of(op)));
}

}  // namespace

ReferenceGraph::ReferenceGraph(const ReferenceLibrary& library, const Graph& graph)
    : l_(library.functions()), source_(graph) {
    const std::size_t count = graph.tensors.size();
    context_ = l_.init({l_.tensor_overhead() * (count + 1) + l_.graph_overhead(count, false), nullptr, true});
    if (context_ == nullptr) throw std::runtime_error("ggml made no context");
    constexpr std::size_t kAnySize = 64;
    weights_ = l_.buft_alloc(l_.dev_buffer_type(library.cpu()), kAnySize);
    l_.buffer_set_usage(weights_, ReferenceLibrary::kWeightsUsage);
    std::vector<int> numbers(kOpCount, -1);
    for (const Tensor& tensor : graph.tensors) {
        int& op = numbers[static_cast<std::size_t>(tensor.op)];
        if (op < 0) op = number_of(l_, tensor.op);
        const Library::Tensor made = l_.new_tensor(context_, library.number_of(tensor.type), tensor.ne[0],
                                                   tensor.ne[1], tensor.ne[2], tensor.ne[3]);
        l_.set(made, Layout::kStrides, tensor.nb);
        l_.set(made, Layout::kOperation, op);
        l_.set(made, Layout::kParameters, tensor.op_params);
        l_.set(made, Layout::kFlags, static_cast<std::int32_t>(tensor.flags));
        l_.set_name(made, tensor.name.c_str());
        tensors_.push_back(made);
    }
    restore();
    graph_ = l_.new_graph(context_, count, false);
    for (const TensorId node : graph.nodes) l_.build_forward_expand(graph_, tensor(node));
    if (static_cast<std::size_t>(l_.graph_n_nodes(graph_)) != graph.nodes.size())
        throw std::runtime_error("the graph's nodes are not in order");
}

ReferenceGraph::~ReferenceGraph() {
    if (weights_ != nullptr) l_.buffer_free(weights_);
    if (context_ != nullptr) l_.free(context_);
}

void ReferenceGraph::restore() {
    constexpr std::uint64_t kBegin = 1U << 20;
    std::uint64_t address = kBegin;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
        const Library::Tensor made = tensors_[i];
        const Tensor& tensor = source_.tensors[i];
        for (std::size_t s = 0; s < tensor.src.size(); ++s) {
            const Library::Tensor from = tensor.src[s].valid() ? tensors_[tensor.src[s].index()] : nullptr;
            l_.set(made, l_.layout.sources + s * sizeof(void*), from);
        }
        const Library::Tensor base = tensor.is_view() ? tensors_[tensor.view_src.index()] : nullptr;
        l_.set(made, l_.layout.view_source, base);
        l_.set(made, l_.layout.view_offset, static_cast<std::size_t>(tensor.view_offs));
        const bool placed = tensor.buffer.valid();
        l_.set(made, Layout::kBuffer, placed ? weights_ : nullptr);
        l_.set(made, l_.data_offset, placed ? address : std::uint64_t{0});
        constexpr std::uint64_t kApart = 1U << 16;
        if (placed) address += kApart;
    }
}

ReferenceBackends::ReferenceBackends(const ReferenceLibrary& library, std::size_t count)
    : l_(library.functions()) {
    for (std::size_t i = 0; i < count; ++i) backends_.push_back(library.new_backend(1));
}

ReferenceBackends::~ReferenceBackends() {
    for (const Library::Backend backend : backends_) l_.backend_free(backend);
}

ReferenceScheduler::ReferenceScheduler(const ReferenceLibrary& library, const ReferenceBackends& backends,
                                       const Graph& graph)
    : l_(library.functions()), backends_(backends) {
    constexpr std::size_t kLeast = 2048;
    std::vector<Library::Backend> all(backends.get().begin(), backends.get().end());
    scheduler_ = l_.sched_new(all.data(), nullptr, static_cast<int>(all.size()),
                              std::max(kLeast, 2 * graph.tensors.size()), false, true);
    if (scheduler_ == nullptr) throw std::runtime_error("ggml made no scheduler");
}

ReferenceScheduler::~ReferenceScheduler() {
    if (scheduler_ != nullptr) l_.sched_free(scheduler_);
}

void ReferenceScheduler::reset() {
    static auto* const reset =
        ReferenceLibrary::function<void(Library::Scheduler)>("ggml_backend_sched_reset");
    reset(scheduler_);
}

void ReferenceScheduler::assign(const ReferenceGraph& graph, std::span<const Assignment> assignments) {
    for (const Assignment& assignment : assignments) {
        l_.sched_set_tensor_backend(scheduler_, graph.tensor(assignment.tensor),
                                    backends_.get()[assignment.backend.index()]);
    }
}

void ReferenceScheduler::schedule(const ReferenceGraph& graph) {
    static auto* const allocate = ReferenceLibrary::function<bool(Library::Scheduler, Library::Graph)>(
        "ggml_backend_sched_alloc_graph");
    if (!allocate(scheduler_, graph.get()))
        throw std::runtime_error("the engine failed to allocate the graph");
}

int ReferenceScheduler::splits() const {
    return l_.sched_get_n_splits(scheduler_);
}

}  // namespace splitscope::bench
