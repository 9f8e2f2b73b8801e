// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/support/generation.hpp"
#include "engine/tensor/op_query.hpp"
#include "engine/tensor/op_set.hpp"

namespace splitscope {

/// A parameter of an operation: its place in op_params, and its name in ggml.
struct OpParam {
    enum class Type : std::uint8_t {
        whole,
        fraction,
        bytes,  ///< 64 bits in two places, the low half first
    };

    std::size_t index = 0;
    std::string_view name;
    Type type = Type::whole;
};

/// Properties of an operation on any backend. The rows are in op_facts.cpp, one per operation.
struct OpFacts {
    Op op;
    std::string_view name;                     ///< upper case, as in files
    Generation since;                          ///< first generation with it
    std::optional<Generation> in_place_since;  ///< the result may overwrite a source (allocator.md §4.2)
    std::size_t needed_sources;                ///< leading sources that must be present; others may follow
    OpSupport (*rule)(const OpQuery& query);   ///< checks the shapes, types and parameters it is defined for
    double (*flops)(const GraphView& graph, TensorId node);
    double (*bytes)(const GraphView& graph, TensorId node);
    double tolerance;  ///< NMSE between backends; that of the result's type applies if larger
    std::span<const OpParam> params{};
    std::optional<Generation> until{};  ///< last generation with it; none = still present
};

const OpFacts& facts_of(Op op);

/// The operations of a generation.
OpSet ops_of(Generation generation);
/// Whether the generation lets the result overwrite a source.
bool may_overwrite_source(Op op, Generation generation);

/// Whether the operation is defined for this node: its required sources are present and satisfy its rule.
/// Always true of leafs, views and empty results.
OpSupport follows_rule(const OpQuery& query);

/// Floating-point operations of one node: 2·m·n·k for a matrix product, 0 for views and operations that only
/// move values, such as GET_ROWS and CPY, otherwise one per element of the result.
double node_flops(const GraphView& graph, TensorId node);
/// Bytes of the elements that a node reads and writes: weights, inputs and results. Of tables and experts,
/// only the rows or experts that are selected.
double node_bytes(const GraphView& graph, TensorId node);
/// The fraction of the experts that the ids of a MUL_MAT_ID can select, in [0, 1].
double selected_fraction(const GraphView& graph, TensorId node);

}  // namespace splitscope
