// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/recording.hpp"
#include "backends/vulkan/vulkan_device.hpp"

namespace splitscope {

/// A stream of a Vulkan device. A call of compute_async() is one command buffer, with barriers only between
/// nodes that touch the same memory. An index outside a tensor and a lost device are thrown by synchronize(),
/// naming the tensor.
class VulkanBackend final : public Backend {
 public:
    explicit VulkanBackend(VulkanDevice& device);
    ~VulkanBackend() override;

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override;
    bool set_async(const BoundGraph& graph, TensorId id, std::span<const std::byte> data,
                   std::uint64_t offset) override;
    bool get_async(const BoundGraph& graph, TensorId id, std::span<std::byte> data,
                   std::uint64_t offset) override;
    bool copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                    TensorId destination) override;
    void record(Event& event) override;
    void wait(Event& event) override;

 private:
    struct Download {
        std::unique_ptr<vulkan::Memory> staging;
        std::span<std::byte> data;
    };
    void record_node(const BoundGraph& graph, TensorId id);
    vulkan::TensorBlock block_of(const BoundGraph& graph, TensorId id) const;
    /// The buffer of a tensor when it is this device's, else null.
    VulkanBuffer* own_buffer(const BoundGraph& graph, TensorId id) const;
    void check_fault();

    VulkanDevice& vulkan_;
    vulkan::Recorder recorder_;
    vulkan::Memory fault_;
    std::vector<Download> downloads_;
    std::vector<std::string> names_;  ///< of the nodes queued since the last synchronize()
    std::vector<vulkan::Pass> passes_;
};

}  // namespace splitscope
