// SPDX-License-Identifier: MIT
#include "backends/vulkan/memory.hpp"

#include <fmt/format.h>

#include "backends/vulkan/check.hpp"

namespace splitscope::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kHostFlags =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// Shaders read whole words of eight bytes, whose last may reach beyond the last tensor.
constexpr std::uint64_t kPadding = 8;

}  // namespace

Memory::Memory(std::shared_ptr<LogicalDevice> device, MemoryKind kind, std::uint64_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
    const VolkDeviceTable& call = device_->call();
    const std::string what = fmt::format("cannot allocate {} bytes", bytes);
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes + kPadding;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    check(call.vkCreateBuffer(device_->handle(), &info, nullptr, &buffer_), what, device_->name());

    VkMemoryRequirements needs{};
    call.vkGetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    const int type = kind == MemoryKind::device
                         ? device_->memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
                         : device_->memory_type(needs.memoryTypeBits, kHostFlags,
                                                kHostFlags | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &flags;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = static_cast<std::uint32_t>(type);
    VkResult result = type < 0 ? VK_ERROR_FEATURE_NOT_PRESENT
                               : call.vkAllocateMemory(device_->handle(), &allocate, nullptr, &memory_);
    if (result == VK_SUCCESS) result = call.vkBindBufferMemory(device_->handle(), buffer_, memory_, 0);
    if (result == VK_SUCCESS && (device_->memory_flags(type) & kHostFlags) == kHostFlags) {
        void* mapped = nullptr;
        result = call.vkMapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped);
        mapped_ = static_cast<std::byte*>(mapped);
    }
    if (result != VK_SUCCESS) release();
    check(result, what, device_->name());

    VkBufferDeviceAddressInfo address{};
    address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    address.buffer = buffer_;
    address_ = call.vkGetBufferDeviceAddress(device_->handle(), &address);
}

Memory::~Memory() {
    release();
}

void Memory::release() noexcept {
    const VolkDeviceTable& call = device_->call();
    call.vkDestroyBuffer(device_->handle(), buffer_, nullptr);
    call.vkFreeMemory(device_->handle(), memory_, nullptr);
    buffer_ = VK_NULL_HANDLE;
    memory_ = VK_NULL_HANDLE;
}

}  // namespace splitscope::vulkan
