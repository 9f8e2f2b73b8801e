// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backends/interface/buffer.hpp"
#include "backends/vulkan/memory.hpp"
#include "backends/vulkan/transfer.hpp"

namespace splitscope {

class VulkanBufferType;

/// One allocation of a Vulkan device.
class VulkanBuffer final : public Buffer {
 public:
    /// `memory` is null for an empty buffer.
    VulkanBuffer(VulkanBufferType& type, std::unique_ptr<vulkan::Memory> memory, std::uint64_t size);

    vulkan::Memory& memory() const { return *memory_; }
    bool is_empty() const { return memory_ == nullptr; }

    std::byte* host_base() override;
    void write(std::uint64_t offset, std::span<const std::byte> data) override;
    void read(std::uint64_t offset, std::span<std::byte> data) override;
    void fill(std::uint64_t offset, std::uint64_t size, std::byte value) override;
    void clear(std::byte value) override { fill(0, size(), value); }
    /// Copies from another buffer of the same device, on the device.
    bool copy_from(Buffer& source, std::uint64_t source_offset, std::uint64_t offset,
                   std::uint64_t size) override;

 private:
    const VulkanBufferType& vulkan_type() const;
    /// Throws Error(state) for imported memory.
    void require_writable() const;

    std::unique_ptr<vulkan::Memory> memory_;
};

/// Memory of a Vulkan device ("Vulkan0"), or pinned host memory that it can copy without staging
/// ("Vulkan0_Host").
class VulkanBufferType final : public BufferType {
 public:
    VulkanBufferType(std::shared_ptr<vulkan::LogicalDevice> device,
                     std::shared_ptr<vulkan::Transfer> transfer, vulkan::MemoryKind kind);

    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override;
    std::uint64_t max_size() const override;
    bool is_host() const override { return kind_ == vulkan::MemoryKind::host; }
    /// Errors: limit, if `size` exceeds max_size(); memory. Both name the device and the size.
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

    vulkan::Transfer& transfer() const { return *transfer_; }
    const std::shared_ptr<vulkan::LogicalDevice>& device() const { return device_; }

 private:
    std::shared_ptr<vulkan::LogicalDevice> device_;
    std::shared_ptr<vulkan::Transfer> transfer_;
    vulkan::MemoryKind kind_;
    std::string name_;
};

}  // namespace splitscope
