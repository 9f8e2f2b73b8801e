// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_access.hpp"

namespace splitscope {

/// Equal pieces at equal distances in the tensor and in host memory.
struct Pieces {
    std::uint64_t bytes = 0;  ///< of one piece
    std::uint64_t count = 0;
    std::uint64_t tensor_stride = 0;  ///< from one piece to the next in the tensor
    std::uint64_t host_stride = 0;
};
/// `pieces.count` transfers in one call; 0 bytes or 0 pieces do nothing. Errors as tensor_set(); range also
/// if the pieces exceed the host memory, in which case nothing is transferred.
void tensor_set_2d(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset,
                   const Pieces& pieces);
void tensor_get_2d(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset,
                   const Pieces& pieces);
void tensor_set_2d_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                         std::uint64_t offset, const Pieces& pieces);
void tensor_get_2d_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                         std::uint64_t offset, const Pieces& pieces);

}  // namespace splitscope
