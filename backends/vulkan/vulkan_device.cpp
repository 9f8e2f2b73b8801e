// SPDX-License-Identifier: MIT
#include "backends/vulkan/vulkan_device.hpp"

#include <bit>
#include <span>

#include <fmt/format.h>

#include "backends/interface/messages.hpp"
#include "backends/interface/offload_batch.hpp"
#include "backends/vulkan/codebooks.hpp"
#include "backends/vulkan/messages.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/scratch.hpp"
#include "backends/vulkan/vulkan_backend.hpp"
#include "backends/vulkan/vulkan_event.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

VulkanDevice::VulkanDevice(std::shared_ptr<vulkan::Instance> instance, const vulkan::PhysicalDevice& physical,
                           std::string name)
    : name_(std::move(name)) {
    if (!physical.usable()) {
        throw Error(ErrorKind::unsupported, msg::kUnusableDevice(physical.name, physical.why_unusable), name_,
                    msg::kUpdateDriver);
    }
    device_ = std::make_shared<vulkan::LogicalDevice>(std::move(instance), physical, name_);
    pipelines_ = std::make_unique<vulkan::Pipelines>(device_);
    const auto transfer = std::make_shared<vulkan::Transfer>(device_);
    buffer_type_ = std::make_unique<VulkanBufferType>(device_, transfer, vulkan::MemoryKind::device);
    host_buffer_type_ = std::make_unique<VulkanBufferType>(device_, transfer, vulkan::MemoryKind::host);
    const std::vector<std::uint16_t> books = vulkan::codebooks();
    const auto bytes = std::as_bytes(std::span(books));
    tables_ = std::make_unique<vulkan::Memory>(device_, vulkan::MemoryKind::device, bytes.size());
    transfer->write(*tables_, 0, bytes);
}

std::shared_ptr<const vulkan::Memory> VulkanDevice::new_scratch() const {
    auto memory =
        std::make_shared<vulkan::Memory>(device_, vulkan::MemoryKind::device, vulkan::kScratchBytes);
    buffer_type_->transfer().fill(*memory, 0, vulkan::kScratchCounterBytes, std::byte{0});
    return memory;
}

std::string VulkanDevice::description() const {
    return fmt::format("{} ({})", device_->physical().name, device_->physical().driver);
}

DeviceMemory VulkanDevice::memory() const {
    return {vulkan::free_memory(device_->physical()), device_->physical().total_memory};
}

DeviceCapabilities VulkanDevice::capabilities() const {
    DeviceCapabilities capabilities;
    capabilities.async = true;
    capabilities.host_buffer = true;
    capabilities.events = true;
    capabilities.buffer_from_host_ptr = device_->physical().reads_mapped_files();
    return capabilities;
}

std::unique_ptr<Buffer> VulkanDevice::buffer_from_host_memory(std::span<const std::byte> memory,
                                                              std::uint64_t /*max_tensor_bytes*/) {
    const std::uint64_t alignment = device_->physical().import_alignment;
    if (!capabilities().buffer_from_host_ptr) {
        throw Error(ErrorKind::unsupported, msg::kNoHostMemoryInPlace, name_, msg::kCopyIt);
    }
    if (std::bit_cast<std::uintptr_t>(memory.data()) % alignment != 0) {
        throw Error(ErrorKind::align, msg::kHostMemoryMisaligned(alignment), name_, msg::kCopyIt);
    }
    // Mappings end at a page boundary and are readable up to it, and so are the aligned words that shaders
    // read.
    const std::uint64_t whole = round_up<std::uint64_t>(memory.size(), alignment);
    if (whole > buffer_type_->max_size()) {
        throw Error(ErrorKind::limit, msg::kBufferTooLarge(whole, buffer_type_->max_size()), name_,
                    msg::kCopyInParts);
    }
    auto imported = std::make_unique<vulkan::Memory>(device_, std::span(memory.data(), whole));
    return std::make_unique<VulkanBuffer>(*buffer_type_, std::move(imported), memory.size());
}

OpSupport VulkanDevice::supports_op(const OpQuery& query) const {
    return vulkan::op_support(query);
}

bool VulkanDevice::offload_op(const OpQuery& query) const {
    return offload_batch(kOffloadRule, query.tensor()) >= kOffloadBatch;
}

std::unique_ptr<Event> VulkanDevice::new_event() {
    return std::make_unique<VulkanEvent>(device_);
}

std::unique_ptr<Backend> VulkanDevice::new_backend() {
    return std::make_unique<VulkanBackend>(*this);
}

}  // namespace splitscope
