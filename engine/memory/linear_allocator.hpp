// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backends/interface/buffer.hpp"
#include "backends/interface/tensor_access.hpp"

namespace splitscope {

/// Places tensors one behind the other in a buffer (allocator.md §2). Nothing is ever freed.
class LinearAllocator {
 public:
    explicit LinearAllocator(Buffer& buffer) : buffer_(&buffer) {}

    /// The status of the buffer's per-tensor set-up. Errors: memory (tensor, needed, available), placement.
    Status allocate(const BoundTensor& tensor);
    /// Bytes used so far.
    std::uint64_t offset() const { return offset_; }

 private:
    Buffer* buffer_;
    std::uint64_t offset_ = 0;
};

/// Smallest value ≥ offset for which base + value is a multiple of the alignment. Errors: internal, when the
/// alignment is no power of two.
std::uint64_t aligned_offset(std::uint64_t base, std::uint64_t offset, std::uint64_t alignment);

}  // namespace splitscope
