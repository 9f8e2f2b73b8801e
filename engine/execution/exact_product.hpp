// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "backends/interface/tensor_place.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// NMSE of two results of a product against the exact one.
struct ExactErrors {
    double tested = 0;
    double reference = 0;
};

/// For a MUL_MAT or MUL_MAT_ID, of which the operands must still be in the graph's memory. The exact product
/// is that of decoded weights and F32 activations, summed in double. None for other nodes, for weights in
/// F32, for which no backend rounds the activations, and for products that take seconds. Errors: those of
/// tensor_get(), Cancelled.
std::optional<ExactErrors> exact_product_errors(const BoundGraph& graph, TensorId node,
                                                std::span<const std::byte> tested,
                                                std::span<const std::byte> reference,
                                                const JobContext& job = {});

}  // namespace splitscope
