// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
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

/// One element of a product.
struct ExactElement {
    std::int64_t at = -1;  ///< in logical order
    double exact = 0;
    double tested = 0;
    double reference = 0;
    /// The largest error that rounding explains: of activations to 8 bits with one scale per 256, and of both
    /// operands to BF16 for weights of that type, else to F16.
    double rounding = 0;

    bool tested_is_wrong() const {
        // Twice, for rounding while summing.
        return !(std::abs(tested - exact) <= 2 * rounding) && std::abs(reference - exact) <= 2 * rounding;
    }
};

/// The element of a MUL_MAT or MUL_MAT_ID at which two results differ most. A tolerance for the sum over all
/// elements hides a few wrong ones. None for other nodes, and for weights that cannot be decoded.
std::optional<ExactElement> exact_product_element(const BoundGraph& graph, TensorId node, std::int64_t at,
                                                  std::span<const std::byte> tested,
                                                  std::span<const std::byte> reference);

}  // namespace splitscope
