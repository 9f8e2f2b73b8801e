// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backends/interface/buffer_type.hpp"
#include "engine/messages/message.hpp"
#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// A question about one operation: the node with its op, types, shapes and sources.
struct OpQuery {
    const GraphView& graph;
    TensorId node;
    /// Buffer type of each of the graph's buffers, by BufferRef; empty when unknown.
    std::span<const BufferType* const> buffer_types{};

    const Tensor& tensor() const { return graph[node]; }
    /// Buffer type a tensor is pre-allocated in (its view source's for a view), or null.
    const BufferType* buffer_type_of(TensorId id) const {
        const BufferRef ref = graph[graph.memory_of(id)].buffer;
        return ref.valid() && ref.index() < buffer_types.size() ? buffer_types[ref.index()] : nullptr;
    }
};

/// The rule by which a backend refuses an operation.
enum class RefusalRule : std::uint8_t {
    none,           ///< not refused
    op,             ///< it does not implement the operation
    type,           ///< it does not know an element type among node and sources
    op_with_type,   ///< it implements the operation, but not with this type
    layout,         ///< shape, strides or contiguity
    parameter,      ///< an operation parameter
    source_memory,  ///< a source lies in memory it cannot read
    recorded,       ///< a recorded answer of a real backend says no
    limit,          ///< a size limit of the device
};

std::string_view name_of(RefusalRule rule);

/// Answer to OpQuery: supported, or the rule that refused and what it was about.
struct OpSupport {
    RefusalRule rule = RefusalRule::none;
    TensorId culprit{};                   ///< the node or source the rule is about, if one
    ElementType type = ElementType::f32;  ///< for the type rules

    explicit operator bool() const { return rule == RefusalRule::none; }
    friend bool operator==(const OpSupport&, const OpSupport&) = default;
};

/// One sentence, e.g. "does not support MUL_MAT with type iq1_m (blk.0.attn_q.weight)".
Message describe(const OpSupport& support, const OpQuery& query);

}  // namespace splitscope
