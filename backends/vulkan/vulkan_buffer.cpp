// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_buffer.hpp"

#include "backends/interface/messages.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

VulkanBuffer::VulkanBuffer(VulkanBufferType& type, std::unique_ptr<vulkan::Memory> memory, std::uint64_t size)
    : Buffer(type, size), memory_(std::move(memory)) {}

const VulkanBufferType& VulkanBuffer::vulkan_type() const {
    return static_cast<const VulkanBufferType&>(type());
}

std::byte* VulkanBuffer::host_base() {
    return is_host() && memory_ != nullptr ? memory_->mapped() : nullptr;
}

void VulkanBuffer::require_writable() const {
    if (memory_ == nullptr || !memory_->is_imported()) return;
    throw Error(ErrorKind::state, msg::kBufferOnlyRead, name(), msg::kWriteToOwnBuffer);
}

void VulkanBuffer::write(std::uint64_t offset, std::span<const std::byte> data) {
    require_writable();
    if (!data.empty()) vulkan_type().transfer().write(*memory_, offset, data);
}

void VulkanBuffer::read(std::uint64_t offset, std::span<std::byte> data) {
    if (!data.empty()) vulkan_type().transfer().read(*memory_, offset, data);
}

void VulkanBuffer::fill(std::uint64_t offset, std::uint64_t size, std::byte value) {
    require_writable();
    if (size > 0) vulkan_type().transfer().fill(*memory_, offset, size, value);
}

bool VulkanBuffer::copy_from(Buffer& source, std::uint64_t source_offset, std::uint64_t offset,
                             std::uint64_t size) {
    auto* other = dynamic_cast<VulkanBuffer*>(&source);
    if (other == nullptr || other->vulkan_type().device() != vulkan_type().device()) return false;
    require_writable();
    if (size > 0) vulkan_type().transfer().copy(*other->memory_, source_offset, *memory_, offset, size);
    return true;
}

VulkanBufferType::VulkanBufferType(std::shared_ptr<vulkan::LogicalDevice> device,
                                   std::shared_ptr<vulkan::Transfer> transfer, vulkan::MemoryKind kind)
    : device_(std::move(device)),
      transfer_(std::move(transfer)),
      kind_(kind),
      name_(device_->name() + (kind == vulkan::MemoryKind::host ? "_Host" : "")) {}

std::uint64_t VulkanBufferType::alignment() const {
    return device_->physical().buffer_alignment();
}

std::uint64_t VulkanBufferType::max_size() const {
    return device_->physical().max_buffer();
}

std::unique_ptr<Buffer> VulkanBufferType::allocate(std::uint64_t size) {
    if (size > max_size()) {
        throw Error(ErrorKind::limit, msg::kBufferTooLarge(size, max_size()), name_, msg::kPutFewerLayers);
    }
    auto memory = size > 0 ? std::make_unique<vulkan::Memory>(device_, kind_, size) : nullptr;
    return std::make_unique<VulkanBuffer>(*this, std::move(memory), size);
}

}  // namespace splitscope
