// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backends/interface/buffer.hpp"
#include "backends/interface/tensor_access.hpp"

namespace splitscope {

/// Places tensors consecutively in a buffer (allocator.md §2). Never frees.
class LinearAllocator {
 public:
    explicit LinearAllocator(Buffer& buffer) : buffer_(&buffer) {}

    /// Returns the status of the buffer's init_tensor(). Errors: memory (tensor, needed, available),
    /// placement.
    Status allocate(const BoundTensor& tensor);
    /// Number of bytes in use.
    std::uint64_t offset() const { return offset_; }

 private:
    Buffer* buffer_;
    std::uint64_t offset_ = 0;
};

/// The smallest value ≥ `offset` for which base + value is a multiple of `alignment`. Errors: internal, if
/// `alignment` is not a power of two.
std::uint64_t aligned_offset(std::uint64_t base, std::uint64_t offset, std::uint64_t alignment);

}  // namespace splitscope
