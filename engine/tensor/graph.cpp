// SPDX-License-Identifier: MIT
#include "engine/tensor/graph.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/messages.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

[[noreturn]] void refuse(std::string where, Message problem, Message remedy) {
    throw Error(ErrorKind::bad_file, std::move(problem), std::move(where), std::move(remedy));
}

std::string pointer(std::size_t tensor, std::string_view key) {
    return fmt::format("/tensors/{}/{}", tensor, key);
}

void validate_layout(const Tensor& t, std::size_t i) {
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (t.ne[d] < 0)
            refuse(pointer(i, fmt::format("ne/{}", d)), msg::kNegativeCount, msg::kUseZeroOrMore);
        if (t.nb[d] < 0)
            refuse(pointer(i, fmt::format("nb/{}", d)), msg::kNegativeStride, msg::kUseZeroOrMore);
    }
    if (!checked_extent(t.ne)) refuse(pointer(i, "ne"), msg::kElementsOverflow, msg::kUseSmallerShape);
    const auto& traits = traits_of(t.type);
    if (!t.is_view() && t.ne[0] % traits.block_elements != 0) {
        refuse(pointer(i, "ne/0"), msg::kNotWholeBlocks(t.ne[0], traits.name, traits.block_elements),
               msg::kUseWholeBlocks);
    }
    if (!byte_reach(t)) refuse(pointer(i, "nb"), msg::kStridesOverflow, msg::kUseSmallerStrides);
}

void validate_view(const Graph& graph, const Tensor& t, std::size_t i) {
    const auto tensors = static_cast<std::int32_t>(graph.tensors.size());
    if (t.view_src.value >= tensors || t.view_src.value == static_cast<std::int32_t>(i)) {
        refuse(pointer(i, "view_src"), msg::kNoTensorOrItself(t.view_src.value),
               msg::kUseOtherIndexBelow(tensors));
    }
    const Tensor& base = graph[t.view_src];
    if (base.is_view()) {
        refuse(pointer(i, "view_src"), msg::kBaseIsView, msg::kReferToBase);
    }
    if (t.view_offs < 0) refuse(pointer(i, "view_offs"), msg::kNegativeOffset, msg::kUseZeroOrMore);
    if (is_empty(t)) return;
    const auto end = checked_add(t.view_offs, *byte_reach(t));
    const auto base_reach = byte_reach(base);
    if (!end || !base_reach || *end > *base_reach) {
        refuse(pointer(i, "view_offs"), msg::kViewBeyondBase(base.name, base_reach.value_or(0)),
               msg::kCheckView);
    }
}

void validate_list(const Graph& graph, const std::vector<TensorId>& list, std::string_view name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].valid() || list[i].index() >= graph.tensors.size()) {
            refuse(fmt::format("/{}/{}", name, i), msg::kNoSuchTensor(list[i].value),
                   msg::kUseIndexBelow(graph.tensors.size()));
        }
    }
}

/// Checks that every node follows its sources and view source; otherwise there is a cycle or a wrong order.
void validate_order(const Graph& graph) {
    constexpr auto kNoPosition = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> position(graph.tensors.size(), kNoPosition);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        auto& at = position[graph.nodes[n].index()];
        if (at == kNoPosition) at = n;
    }
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const std::size_t i = graph.nodes[n].index();
        const Tensor& t = graph.tensors[i];
        const auto check = [&](TensorId read, const std::string& key) {
            if (read.valid() && read.index() != i && position[read.index()] != kNoPosition &&
                position[read.index()] >= position[i]) {
                refuse(pointer(i, key), msg::kReadsLater(t.name, graph[read].name), msg::kOrderNodes);
            }
        };
        for (std::size_t s = 0; s < kMaxSources; ++s) check(t.src[s], fmt::format("src/{}", s));
        check(t.view_src, "view_src");
    }
}

/// Tensors outside the node list can form cycles too: traverse everything reachable through sources,
/// iteratively.
void validate_acyclic(const Graph& graph) {
    enum class Mark : std::uint8_t { unvisited, open, done };
    std::vector<Mark> marks(graph.tensors.size(), Mark::unvisited);
    struct Frame {
        std::size_t tensor;
        std::size_t next;
    };
    std::vector<Frame> stack;
    for (std::size_t root = 0; root < graph.tensors.size(); ++root) {
        if (marks[root] != Mark::unvisited) continue;
        marks[root] = Mark::open;
        stack.push_back({root, 0});
        while (!stack.empty()) {
            Frame& frame = stack.back();
            if (frame.next == kMaxSources) {
                marks[frame.tensor] = Mark::done;
                stack.pop_back();
                continue;
            }
            const std::size_t at = frame.tensor;
            const std::size_t slot = frame.next++;
            const TensorId source = graph.tensors[at].src[slot];
            if (!source.valid()) continue;
            Mark& mark = marks[source.index()];
            // A cast lists its own result as second source, for its type.
            if (source.index() == at) continue;
            if (mark == Mark::open) {
                refuse(pointer(at, fmt::format("src/{}", slot)), msg::kCycle, msg::kRemoveEdge);
            }
            if (mark == Mark::unvisited) {
                mark = Mark::open;
                stack.push_back({source.index(), 0});
            }
        }
    }
}

}  // namespace

BufferRef Graph::buffer_named(const std::string& buffer_name) {
    const auto found = std::ranges::find(buffers, buffer_name);
    if (found != buffers.end()) return BufferRef(static_cast<std::size_t>(found - buffers.begin()));
    buffers.push_back(buffer_name);
    return BufferRef(buffers.size() - 1);
}

std::optional<TensorId> Graph::find(std::string_view tensor_name) const {
    const auto found = std::ranges::find(tensors, tensor_name, &Tensor::name);
    if (found == tensors.end()) return std::nullopt;
    return TensorId(static_cast<std::size_t>(found - tensors.begin()));
}

void validate(const Graph& graph) {
    if (graph.tensors.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) / 2) {
        refuse("/tensors", msg::kTooManyTensors, msg::kSplitGraph);
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        const Tensor& t = graph.tensors[i];
        validate_layout(t, i);
        for (std::size_t s = 0; s < kMaxSources; ++s) {
            if (t.src[s].valid() && t.src[s].index() >= graph.tensors.size()) {
                refuse(pointer(i, fmt::format("src/{}", s)), msg::kNoSuchTensor(t.src[s].value),
                       msg::kUseIndexBelow(graph.tensors.size()));
            }
        }
        if (t.buffer.valid() && t.buffer.index() >= graph.buffers.size()) {
            refuse(pointer(i, "buffer"), msg::kUnknownBuffer, msg::kNameBuffer);
        }
    }
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        if (graph.tensors[i].is_view()) validate_view(graph, graph.tensors[i], i);
    }
    validate_list(graph, graph.nodes, "nodes");
    validate_list(graph, graph.leafs, "leafs");
    validate_acyclic(graph);
    validate_order(graph);
}

}  // namespace splitscope
