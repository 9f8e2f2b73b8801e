// SPDX-License-Identifier: MIT
#include "engine/memory/linear_allocator.hpp"

#include <bit>

#include "engine/memory/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

std::uint64_t aligned_offset(std::uint64_t base, std::uint64_t offset, std::uint64_t alignment) {
    if (!std::has_single_bit(alignment)) {
        throw Error(ErrorKind::internal, msg::kAlignmentNotPower(alignment), msg::kPlaceBufferType,
                    msg::kCorrectBufferType);
    }
    return round_up(base + offset, alignment) - base;
}

Status LinearAllocator::allocate(const BoundTensor& tensor) {
    const BufferType& type = buffer_->type();
    const std::uint64_t size = round_up(type.alloc_size(tensor.graph.view(), tensor.id), type.alignment());
    const std::uint64_t available = buffer_->size() - offset_;
    if (size > available) {
        throw Error(ErrorKind::memory, msg::kBufferFull(size, buffer_->name(), available),
                    tensor.tensor().name, msg::kUseLargerBuffer);
    }
    const Status status = tensor_alloc(tensor, *buffer_, offset_);
    offset_ += size;
    return status;
}

}  // namespace splitscope
