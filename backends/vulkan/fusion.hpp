// SPDX-License-Identifier: MIT
// Which nodes of a graph one kernel computes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/vulkan/bound_tensors.hpp"

namespace splitscope::vulkan {

enum class UnitKind : std::uint8_t {
    node,         ///< a single one
    norm,         ///< (ADD,) NORM or RMS_NORM, MUL (, ADD)
    products,     ///< up to three products of the same columns with their addends, or a gated pair
    rows,         ///< up to three of ROPE, SET_ROWS, and both
    attention,    ///< product, SOFT_MAX, product, copy of the permuted result
    router,       ///< from logits to the order of experts and the weights of the first
    weighted_sum  ///< (ADD_ID,) MUL of experts by their weights, ADDs of its rows (of one expert: CONT)
};

/// One of the results that a unit computes.
struct Part {
    TensorId node;  ///< the norm, the product, ROPE, SOFT_MAX or MUL; none for SET_ROWS alone
    /// norm: MUL, ADD after it, ADD before it; products: ADDs, the first may be ADD_ID; rows: SET_ROWS;
    /// attention: the two products; weighted sum: ADD_ID
    std::array<TensorId, 3> with{};
    TensorId result;
};

/// Nodes of a router, each none if the graph lacks it.
struct Router {
    TensorId softplus;  ///< whose SQRT the scores are
    TensorId scores;    ///< SOFT_MAX, sigmoid or SQRT
    TensorId biased;    ///< ADD to scores, for the order only
    TensorId order;     ///< ARGSORT
    TensorId chosen;    ///< GET_ROWS
    TensorId sum;       ///< SUM_ROWS
    TensorId clamped;   ///< CLAMP of the sum
    TensorId shares;    ///< SOFT_MAX or DIV
    TensorId scaled;    ///< SCALE
    TensorId weights;   ///< the last of them
};

/// Nodes that are computed together, with the memory that they access.
struct Unit {
    UnitKind kind = UnitKind::node;
    std::vector<Part> parts;
    TensorId gate;                ///< of two products
    std::vector<TensorId> nodes;  ///< in order
    std::vector<TensorId> reads;  ///< from outside the unit
    std::vector<TensorId> writes;
    std::uint64_t touched_bytes = 0;  ///< read and written; of rows and experts only the selected ones
    Router router{};                  ///< if it is one
};

/// One unit for each node that computes something.
std::vector<Unit> single_units(BoundTensors& tensors, std::span<const TensorId> nodes);

/// As above, but nodes are fused if a kernel exists, intermediate results are not read elsewhere, and no
/// result overwrites memory that another node of the kernel still reads. To avoid such an overlap, results
/// that are only read within `nodes` are moved to other memory.
std::vector<Unit> fused_units(BoundTensors& tensors, std::span<const TensorId> nodes,
                              const KernelTraits& device);

}  // namespace splitscope::vulkan
