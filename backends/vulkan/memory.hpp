// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "backends/vulkan/logical_device.hpp"

namespace splitscope::vulkan {

enum class MemoryKind {
    device,  ///< fast for the device; visible to the host only if memory is shared
    host,    ///< pinned host memory, cached if possible, visible to the device
    upload,  ///< written by the host and read by the device, in the device's memory if possible
};

/// One allocation with a buffer spanning it.
class Memory {
 public:
    /// Errors: memory.
    Memory(std::shared_ptr<LogicalDevice> device, MemoryKind kind, std::uint64_t bytes);
    /// Imports existing host memory, which is only read, must outlive the object, and must start and end at
    /// multiples of PhysicalDevice::import_alignment. Errors: unsupported, if the driver refuses; memory.
    Memory(std::shared_ptr<LogicalDevice> device, std::span<const std::byte> host);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    VkBuffer buffer() const { return buffer_; }
    std::uint64_t size() const { return bytes_; }
    /// The device address, for shaders.
    VkDeviceAddress address() const { return address_; }
    /// Null if the host cannot access it.
    std::byte* mapped() const { return mapped_; }
    bool is_imported() const { return imported_; }

 private:
    void make_buffer(std::uint64_t bytes, const void* next);
    void find_address();
    void release() noexcept;

    std::shared_ptr<LogicalDevice> device_;
    std::uint64_t bytes_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    VkDeviceAddress address_ = 0;
    std::byte* mapped_ = nullptr;
    bool imported_ = false;
};

}  // namespace splitscope::vulkan
