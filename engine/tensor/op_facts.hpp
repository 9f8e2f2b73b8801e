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

/// A parameter of an operation: where op_params keeps it, and its name in ggml.
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

/// What is known of an operation, whoever computes it. The rows are in op_facts.cpp, one for each operation.
struct OpFacts {
    Op op;
    std::string_view name;                     ///< upper case, as in files
    Generation since;                          ///< the first that knows it
    std::optional<Generation> in_place_since;  ///< the result may overwrite a source (allocator.md §4.2)
    std::size_t needed_sources;                ///< the first ones; others may follow
    OpSupport (*rule)(const OpQuery& query);   ///< the shapes, types and parameters it is defined for
    double (*flops)(const GraphView& graph, TensorId node);
    double (*bytes)(const GraphView& graph, TensorId node);
    double tolerance;  ///< NMSE between backends, where that of the result's type is smaller
    std::span<const OpParam> params{};
    std::optional<Generation> until{};  ///< the last that knows it
};

const OpFacts& facts_of(Op op);

/// The operations that a generation knows.
OpSet ops_of(Generation generation);
/// Whether the generation lets the result overwrite a source.
bool may_overwrite_source(Op op, Generation generation);

/// Whether the operation is defined for this node: it has the sources that it needs, and follows its rule.
/// Leaves, views and empty results always do.
OpSupport follows_rule(const OpQuery& query);

/// Floating-point operations of one node (2·m·n·k for a matrix product, one per element otherwise, 0 for
/// views).
double node_flops(const GraphView& graph, TensorId node);
/// Bytes that a node moves between memory and its device: only the rows that are looked up, the experts that
/// are chosen.
double node_bytes(const GraphView& graph, TensorId node);
/// The share of a stack of experts that the ids of a MUL_MAT_ID can choose.
double chosen_share(const GraphView& graph, TensorId node);

}  // namespace splitscope
