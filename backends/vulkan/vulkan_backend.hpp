// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/vulkan/node_timer.hpp"
#include "backends/vulkan/op_table.hpp"
#include "backends/vulkan/recording.hpp"
#include "backends/vulkan/vulkan_device.hpp"

namespace splitscope {

/// A stream of a Vulkan device. Each compute_async() records one command buffer, with barriers only between
/// nodes that access the same memory. Long work is divided into several command buffers, so that it can be
/// stopped and no driver watchdog triggers. An index out of range and a lost device are reported by
/// synchronize(), with the tensor. Copies and events of other Vulkan devices are waited for in the queue.
class VulkanBackend final : public Backend {
 public:
    explicit VulkanBackend(VulkanDevice& device);
    ~VulkanBackend() override;

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override;
    bool time_nodes(bool on) override;
    std::vector<std::chrono::nanoseconds> take_node_times() override;
    /// Polled between command buffers; true ends the computation with Status::aborted.
    void set_abort_callback(std::function<bool()> abort) { abort_ = std::move(abort); }
    /// Approximate number of multiplications per command buffer.
    void set_max_work(double multiplications) { max_work_ = multiplications; }
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
    /// The tensor's buffer if it belongs to this device, else null.
    VulkanBuffer* own_buffer(const BoundGraph& graph, TensorId id) const;
    Status record_nodes(const BoundGraph& graph, std::span<const TensorId> nodes);
    void check_fault();
    void check_relay();
    /// "norm-0 … result" for the queued nodes, or the device's name.
    std::string queued_names() const;

    VulkanDevice& vulkan_;
    std::optional<vulkan::NodeTimer> timer_;  ///< created on first use
    bool timing_ = false;
    vulkan::Recorder recorder_;  ///< waits for the device before its memory is freed
    vulkan::Memory fault_;
    std::vector<Download> downloads_;
    std::vector<std::string> names_;  ///< of the nodes queued since the last synchronize()
    std::vector<vulkan::Pass> passes_;
    std::function<bool()> abort_;
    double max_work_;
};

}  // namespace splitscope
