// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "backends/interface/tensor_place.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// The NMSE of a MUL_MAT's or MUL_MAT_ID's result against its exact product: decoded weights times the F32
/// activations, summed in double. Its operands must still be in the graph's memory. None for other nodes, and
/// for weights in F32, for which no backend rounds the activations. Errors: those of tensor_get(), Cancelled.
std::optional<double> exact_product_nmse(const BoundGraph& graph, TensorId node,
                                         std::span<const std::byte> result, const JobContext& job = {});

}  // namespace splitscope
