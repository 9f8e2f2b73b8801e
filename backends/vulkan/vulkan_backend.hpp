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

/// A stream of a Vulkan device. A call of compute_async() is one command buffer, with barriers only between
/// nodes that touch the same memory; only one that would keep the device busy for long is several, so that it
/// can be stopped and no driver takes it for hanging. An index outside a tensor and a lost device are thrown
/// by synchronize(), naming the tensor. Copies and events of other Vulkan devices are waited for by the
/// queue.
class VulkanBackend final : public Backend {
 public:
    explicit VulkanBackend(VulkanDevice& device);
    ~VulkanBackend() override;

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override;
    bool time_nodes(bool on) override;
    std::vector<std::chrono::nanoseconds> take_node_times() override;
    /// Asked between the command buffers of long work; true ends it with Status::aborted.
    void set_abort_callback(std::function<bool()> abort) { abort_ = std::move(abort); }
    /// Multiplications of one command buffer, about.
    void set_most_work(double multiplications) { most_work_ = multiplications; }
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
    Status record_nodes(const BoundGraph& graph, std::span<const TensorId> nodes);
    void check_fault();
    void check_relay();
    /// "norm-0 … result" of what is queued, or the device.
    std::string queued_names() const;

    VulkanDevice& vulkan_;
    std::optional<vulkan::NodeTimer> timer_;  ///< made when times are first wanted
    bool timing_ = false;
    vulkan::Recorder recorder_;  ///< waits for the device before what it uses goes
    vulkan::Memory fault_;
    std::vector<Download> downloads_;
    std::vector<std::string> names_;  ///< of the nodes queued since the last synchronize()
    std::vector<vulkan::Pass> passes_;
    std::function<bool()> abort_;
    double most_work_;
};

}  // namespace splitscope
