// SPDX-License-Identifier: MIT
#include "backends/vulkan/bound_tensors.hpp"

#include "backends/interface/messages.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::vulkan {

VulkanBuffer* BoundTensors::buffer(TensorId id) const {
    auto* buffer = dynamic_cast<VulkanBuffer*>(graph_->buffer_of(id));
    return buffer != nullptr && !buffer->is_empty() && &buffer->type() == type_ ? buffer : nullptr;
}

std::uint64_t BoundTensors::address_of(TensorId id, const VulkanBuffer& owner) const {
    const std::uint64_t offset = graph_->offset_of(id);
    if (!moved_.empty()) {
        const TensorId root = graph().memory_of(id);
        const auto moved = moved_.find(root);
        if (moved != moved_.end()) return moved_address_ + moved->second + offset - graph_->offset_of(root);
    }
    return owner.memory().address() + offset;
}

TensorBlock BoundTensors::block(TensorId id) const {
    const Tensor& t = graph()[id];
    TensorBlock block;
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        block.ne[d] = static_cast<std::uint32_t>(t.ne[d]);
        block.nb[d] = static_cast<std::uint32_t>(t.nb[d]);
    }
    const VulkanBuffer* owner = buffer(id);
    if (owner == nullptr) {
        if (is_empty(t)) return block;
        throw Error(ErrorKind::no_buffer, msg::kNotInMemoryOf(device_name()), t.name,
                    msg::kPlaceInDeviceBuffer);
    }
    block.data = address_of(id, *owner);
    return block;
}

MemoryRange BoundTensors::range(TensorId id) const {
    const VulkanBuffer* owner = buffer(id);
    if (owner == nullptr) return {};
    return {address_of(id, *owner), byte_size(graph()[id])};
}

void BoundTensors::move(TensorId id) {
    constexpr std::uint64_t kAlignment = 256;
    if (!moved_.try_emplace(id, moved_bytes_).second) return;
    order_.push_back(id);
    moved_bytes_ += round_up<std::uint64_t>(byte_size(graph()[id]), kAlignment);
}

void BoundTensors::keep_moves(std::size_t count) {
    for (; order_.size() > count; order_.pop_back()) {
        const auto last = moved_.find(order_.back());
        moved_bytes_ = last->second;
        moved_.erase(last);
    }
}

}  // namespace splitscope::vulkan
