// SPDX-License-Identifier: MIT
#include "backends/vulkan/memory.hpp"

#include "backends/interface/messages.hpp"
#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"

namespace splitscope::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kHostFlags =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// Required and preferred host access to the memory.
struct MemoryWish {
    VkMemoryPropertyFlags wanted;
    VkMemoryPropertyFlags preferred;
};

MemoryWish wish_of(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::host:
            return {kHostFlags, kHostFlags | VK_MEMORY_PROPERTY_HOST_CACHED_BIT};
        case MemoryKind::upload:
            return {kHostFlags, kHostFlags | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
        case MemoryKind::device:
            break;
    }
    return {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
}

/// Shaders read aligned 8-byte words, the last of which may extend beyond the last tensor.
constexpr std::uint64_t kPadding = 8;

}  // namespace

Memory::Memory(std::shared_ptr<LogicalDevice> device, MemoryKind kind, std::uint64_t bytes)
    : device_(std::move(device)), bytes_(bytes) {
    const VolkDeviceTable& call = device_->call();
    make_buffer(bytes + kPadding, nullptr);

    VkMemoryRequirements needs{};
    call.vkGetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &flags;
    allocate.allocationSize = needs.size;
    const auto type_for = [&](MemoryKind wanted) {
        const MemoryWish wish = wish_of(wanted);
        return device_->memory_type(needs.memoryTypeBits, wish.wanted, wish.preferred);
    };
    const auto try_type = [&](int type) {
        if (type < 0) return VK_ERROR_FEATURE_NOT_PRESENT;
        allocate.memoryTypeIndex = static_cast<std::uint32_t>(type);
        return call.vkAllocateMemory(device_->handle(), &allocate, nullptr, &memory_);
    };
    int type = type_for(kind);
    VkResult result = try_type(type);
    // The host may reach only a small part of the device's memory, which other programs use, too.
    if (const int other = type_for(MemoryKind::host);
        result == VK_ERROR_OUT_OF_DEVICE_MEMORY && kind == MemoryKind::upload && other != type) {
        type = other;
        result = try_type(type);
    }
    if (result == VK_SUCCESS) result = call.vkBindBufferMemory(device_->handle(), buffer_, memory_, 0);
    if (result == VK_SUCCESS && (device_->memory_flags(type) & kHostFlags) == kHostFlags) {
        void* mapped = nullptr;
        result = call.vkMapMemory(device_->handle(), memory_, 0, VK_WHOLE_SIZE, 0, &mapped);
        mapped_ = static_cast<std::byte*>(mapped);
    }
    if (result != VK_SUCCESS) release();
    check(result, msg::kCannotAllocate(bytes), device_->name());
    find_address();
}

Memory::Memory(std::shared_ptr<LogicalDevice> device, std::span<const std::byte> host)
    : device_(std::move(device)), bytes_(host.size()), imported_(true) {
    constexpr VkExternalMemoryHandleTypeFlagBits kHandle =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    const VolkDeviceTable& call = device_->call();
    const Message action = msg::kCannotUseHostMemory(host.size());
    VkMemoryHostPointerPropertiesEXT usable{};
    usable.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT;
    check(call.vkGetMemoryHostPointerPropertiesEXT(device_->handle(), kHandle, host.data(), &usable), action,
          device_->name());
    VkExternalMemoryBufferCreateInfo external{};
    external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external.handleTypes = kHandle;
    make_buffer(host.size(), &external);

    VkMemoryRequirements needs{};
    call.vkGetBufferMemoryRequirements(device_->handle(), buffer_, &needs);
    const int type = device_->memory_type(needs.memoryTypeBits & usable.memoryTypeBits, 0);
    // Vulkan has no const; the driver only reads this memory.
    mapped_ = const_cast<std::byte*>(host.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    VkImportMemoryHostPointerInfoEXT import{};
    import.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT;
    import.handleType = kHandle;
    import.pHostPointer = mapped_;
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.pNext = &import;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = &flags;
    allocate.allocationSize = host.size();
    allocate.memoryTypeIndex = static_cast<std::uint32_t>(type);
    VkResult result = type < 0 || needs.size > host.size()
                          ? VK_ERROR_FEATURE_NOT_PRESENT
                          : call.vkAllocateMemory(device_->handle(), &allocate, nullptr, &memory_);
    if (result == VK_SUCCESS) result = call.vkBindBufferMemory(device_->handle(), buffer_, memory_, 0);
    if (result != VK_SUCCESS) release();
    check(result, action, device_->name());
    find_address();
}

void Memory::make_buffer(std::uint64_t bytes, const void* next) {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.pNext = next;
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    check(device_->call().vkCreateBuffer(device_->handle(), &info, nullptr, &buffer_),
          msg::kCannotAllocate(bytes), device_->name());
}

void Memory::find_address() {
    VkBufferDeviceAddressInfo address{};
    address.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
    address.buffer = buffer_;
    address_ = device_->call().vkGetBufferDeviceAddress(device_->handle(), &address);
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
