// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

class BufferType;

/// A query about one operation: the node with its op, types, shapes and sources.
struct OpQuery {
    const GraphView& graph;
    TensorId node;
    /// Buffer type of each of the graph's buffers, by BufferRef; empty if unknown.
    std::span<const BufferType* const> buffer_types{};

    const Tensor& tensor() const { return graph[node]; }
    /// Buffer type in which a tensor (or a view's base) is pre-allocated, or null.
    const BufferType* buffer_type_of(TensorId id) const {
        const BufferRef ref = graph[graph.memory_of(id)].buffer;
        return ref.valid() && ref.index() < buffer_types.size() ? buffer_types[ref.index()] : nullptr;
    }
};

/// The rule by which a backend refuses an operation.
enum class RefusalRule : std::uint8_t {
    none,           ///< not refused
    op,             ///< the operation is not implemented
    type,           ///< an element type among node and sources is unknown
    op_with_type,   ///< the operation is not implemented for this type
    layout,         ///< shape, strides or contiguity
    parameter,      ///< an operation parameter
    source_memory,  ///< a source is in memory that it cannot read
    recorded,       ///< the recorded answer of a real backend
    limit,          ///< a size limit of the device
};

std::string_view name_of(RefusalRule rule);

/// The answer to an OpQuery: supported, or the refusing rule with its subject.
struct OpSupport {
    RefusalRule rule = RefusalRule::none;
    TensorId culprit{};                   ///< the node or source that the rule refers to, if any
    ElementType type = ElementType::f32;  ///< for the type rules

    explicit operator bool() const { return rule == RefusalRule::none; }
    friend bool operator==(const OpSupport&, const OpSupport&) = default;
};

inline OpSupport refuse_type(TensorId culprit, const OpQuery& query) {
    return {RefusalRule::op_with_type, culprit, query.graph[culprit].type};
}
inline OpSupport refuse_layout(TensorId culprit, const OpQuery& query) {
    return {RefusalRule::layout, culprit, query.graph[culprit].type};
}
inline OpSupport refuse_limit(TensorId culprit, const OpQuery& query) {
    return {RefusalRule::limit, culprit, query.graph[culprit].type};
}
inline OpSupport refuse_parameter(const OpQuery& query) {
    return {RefusalRule::parameter, query.node, query.tensor().type};
}

}  // namespace splitscope
