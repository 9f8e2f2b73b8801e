// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "backends/interface/device.hpp"
#include "backends/interface/machine.hpp"
#include "backends/vulkan/pipelines.hpp"
#include "backends/vulkan/vulkan_buffer.hpp"

namespace splitscope {

/// A Vulkan device, computing with the shaders of this folder.
class VulkanDevice final : public Device {
 public:
    /// Minimum batch for which uploading a product's weights pays off.
    static constexpr std::int64_t kOffloadBatch = 32;
    static constexpr OffloadRule kOffloadRule = OffloadRule::g2026_08;

    /// Opens the device. Errors: unsupported, with the missing features; memory.
    VulkanDevice(std::shared_ptr<vulkan::Instance> instance, const vulkan::PhysicalDevice& physical,
                 std::string name);

    const std::string& name() const override { return name_; }
    /// Name of hardware and driver.
    std::string description() const override;
    DeviceKind kind() const override { return DeviceKind::gpu; }
    DeviceMemory memory() const override;
    DeviceCapabilities capabilities() const override;

    VulkanBufferType& buffer_type() override { return *buffer_type_; }
    VulkanBufferType* host_buffer_type() override { return host_buffer_type_.get(); }
    /// Only if device and host share memory; includes the surrounding pages. Errors: unsupported, limit.
    std::unique_ptr<Buffer> buffer_from_host_memory(std::span<const std::byte> memory,
                                                    std::uint64_t max_tensor_bytes) override;
    OpSupport supports_op(const OpQuery& query) const override;
    bool supports_buffer_type(const BufferType& type) const override { return &type == buffer_type_.get(); }
    /// True for batches of at least kOffloadBatch.
    bool offload_op(const OpQuery& query) const override;
    std::unique_ptr<Event> new_event() override;
    std::unique_ptr<Backend> new_backend() override;

    const std::shared_ptr<vulkan::LogicalDevice>& logical() const { return device_; }
    vulkan::Pipelines& pipelines() const { return *pipelines_; }
    /// Codebooks of the quantised types, in device memory.
    const vulkan::Memory& tables() const { return *tables_; }
    /// For one stream (scratch.hpp). Waits for queued work.
    std::shared_ptr<const vulkan::Memory> new_scratch() const;

 private:
    std::string name_;
    std::shared_ptr<vulkan::LogicalDevice> device_;
    std::unique_ptr<vulkan::Pipelines> pipelines_;
    std::unique_ptr<vulkan::Memory> tables_;
    std::unique_ptr<VulkanBufferType> buffer_type_;
    std::unique_ptr<VulkanBufferType> host_buffer_type_;
};

}  // namespace splitscope
