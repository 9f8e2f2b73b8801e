// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "backends/vulkan/converted_columns.hpp"
#include "backends/vulkan/fusion.hpp"
#include "backends/vulkan/node_timer.hpp"
#include "backends/vulkan/recording.hpp"
#include "backends/vulkan/vulkan_device.hpp"
#include "backends/vulkan/vulkan_plan.hpp"

namespace splitscope {

/// A stream of a Vulkan device. Each compute_async() records one command buffer, with barriers only between
/// kernels that access the same memory. Long work is divided into several command buffers, so that it can be
/// stopped and no driver watchdog triggers. Without keep_results(), one kernel computes several nodes where
/// possible (fusion.hpp); with time_nodes(), each node is computed by itself. An index out of range and a
/// lost device are reported by synchronize(), with the tensor. Copies and events of other Vulkan devices are
/// waited for in the queue.
class VulkanBackend final : public Backend {
 public:
    explicit VulkanBackend(VulkanDevice& device);
    ~VulkanBackend() override;

    Guid guid() const override;
    Status compute_async(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    void synchronize() override;
    bool time_nodes(bool on) override;
    std::vector<std::chrono::nanoseconds> take_node_times() override;
    void keep_results(bool all) override { keep_results_ = all; }
    std::optional<DeviceWork> take_work() override;
    /// Plans are recorded command buffers.
    bool has_plans() const override { return true; }
    bool plans_ahead() const override { return true; }
    bool prefers_whole_splits() const override { return true; }
    void prepare_transfers(const BoundGraph& graph, std::span<const std::uint64_t> uploads,
                           std::span<const TensorId> wanted) override;
    std::unique_ptr<GraphPlan> create_plan(const BoundGraph& graph, std::span<const TensorId> nodes) override;
    Status compute_plan(GraphPlan& plan) override;
    /// Polled between command buffers, where true ends the computation with Status::aborted, and between the
    /// kernels of a plan that is being made.
    void set_abort_callback(std::function<bool()> abort) { abort_ = std::move(abort); }
    /// Approximate number of multiplications per command buffer.
    void set_max_work(double multiplications) { max_work_ = multiplications; }
    /// Overrides the selection of kernels for this device.
    void set_kernels(const vulkan::KernelTraits& traits) { kernels_ = traits; }
    bool set_async(const BoundGraph& graph, TensorId id, std::span<const std::byte> data,
                   std::uint64_t offset) override;
    bool upload(const BoundGraph& graph, TensorId id, std::span<const std::byte> data) override {
        return set_async(graph, id, data, 0);
    }
    bool get_async(const BoundGraph& graph, TensorId id, std::span<std::byte> data,
                   std::uint64_t offset) override;
    /// Not for memory that the host can read.
    bool get_with_next(const BoundGraph& graph, TensorId id, std::span<std::byte> data) override;
    bool copy_async(Backend& source_backend, const BoundGraph& graph, TensorId source,
                    TensorId destination) override;
    void record(Event& event) override;
    void wait(Event& event) override;

 private:
    struct Download {
        std::unique_ptr<vulkan::Memory> staging;
        std::span<std::byte> data;
    };
    vulkan::BoundTensors tensors_of(const BoundGraph& graph) const { return {graph, vulkan_.buffer_type()}; }
    /// The tensor's buffer if it belongs to this device, else null.
    VulkanBuffer* own_buffer(const BoundGraph& graph, TensorId id) const {
        return tensors_of(graph).buffer(id);
    }
    /// A tensor to be read after the next computation.
    struct Wanted {
        const vulkan::Memory* memory;
        std::uint64_t offset;
        std::span<std::byte> data;
    };
    void download(const vulkan::Memory& memory, std::uint64_t offset, std::span<std::byte> data);
    void download_wanted();
    /// The units to compute; adds fused ones to `work`.
    std::vector<vulkan::Unit> units_of(vulkan::BoundTensors& tensors, std::span<const TensorId> nodes,
                                       DeviceWork& work);
    /// Names the unit's first node in its errors.
    void record_unit(vulkan::Recorder& recorder, const vulkan::BoundTensors& tensors,
                     const vulkan::Unit& unit, NodeNames& names, vulkan::ConvertedColumns& converted);
    void record_passes(vulkan::Recorder& recorder, const vulkan::BoundTensors& tensors,
                       const vulkan::Unit& unit, NodeNames& names, vulkan::ConvertedColumns& converted);
    /// Of this stream; its submissions run in order.
    const vulkan::Memory& scratch();
    Status record_nodes(const BoundGraph& graph, std::span<const TensorId> nodes);
    /// Between two command buffers of long work: submits what is queued and waits for the submission
    /// `before`, which becomes this one, so that at most one is pending. Returns whether the computation was
    /// aborted.
    bool submit_between(std::uint64_t& before);
    /// Whether nothing is queued or running.
    bool is_idle() const;
    std::unique_ptr<vulkan::Memory> download_memory(std::uint64_t bytes);
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
    std::vector<Wanted> wanted_;                          ///< by get_with_next()
    std::vector<std::unique_ptr<vulkan::Memory>> spare_;  ///< for downloads
    NodeNames names_;  ///< of the nodes queued since the last synchronize(), without those of plans
    std::vector<std::shared_ptr<const NodeNames>> plan_names_;  ///< of the plans queued since then
    std::uint32_t next_plan_number_ = 1U << 31;                 ///< of the first name of the next plan
    DeviceWork fused_;                                          ///< nodes only
    std::shared_ptr<const vulkan::Memory> moved_;               ///< of results with other memory
    std::shared_ptr<const vulkan::Memory> scratch_;             ///< made when it is first needed
    vulkan::KernelTraits kernels_;
    bool keep_results_ = true;
    std::function<bool()> abort_;
    double max_work_;
};

}  // namespace splitscope
