// SPDX-License-Identifier: MIT
// Which nodes of a graph one kernel computes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/vulkan/bound_tensors.hpp"
#include "backends/vulkan/op_table.hpp"

namespace splitscope::vulkan {

enum class UnitKind : std::uint8_t {
    node,      ///< a single one
    norm,      ///< (ADD,) NORM or RMS_NORM, MUL (, ADD)
    products,  ///< up to three products of the same columns with what is added to them, or a gated pair
    rows,      ///< up to three of ROPE, SET_ROWS, and both
    attention  ///< product, SOFT_MAX, product, copy of the permuted result
};

/// One of several things that a unit computes.
struct Part {
    TensorId node;  ///< the norm, the product, ROPE or SOFT_MAX; none for SET_ROWS alone
    /// norm: MUL, ADD after it, ADD before it; products: ADDs; rows: SET_ROWS; attention: the two products
    std::array<TensorId, 3> with{};
    TensorId result;
};

/// Nodes that are computed together, with the memory that they access.
struct Unit {
    UnitKind kind = UnitKind::node;
    std::vector<Part> parts;
    TensorId gate;                ///< of two products
    std::vector<TensorId> nodes;  ///< in order
    std::vector<TensorId> reads;  ///< from outside the unit
    std::vector<TensorId> writes;
    std::uint64_t touched_bytes = 0;  ///< by them; of rows and experts only those that are meant
};

/// The nodes that compute something, each by itself.
std::vector<Unit> single_units(BoundTensors& tensors, std::span<const TensorId> nodes);

/// The same with nodes computed together where a kernel exists, the results in between are read by nothing
/// else, and no result is needed in memory that another node of the kernel still reads. Results that only
/// these nodes read are moved where that is necessary.
std::vector<Unit> fused_units(BoundTensors& tensors, std::span<const TensorId> nodes,
                              const KernelTraits& device);

}  // namespace splitscope::vulkan
