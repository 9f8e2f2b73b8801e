// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends/vulkan/hazards.hpp"
#include "backends/vulkan/memory.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/pipelines.hpp"

namespace splitscope::vulkan {

/// A full barrier between all earlier and later commands of the queue.
void record_barrier(const LogicalDevice& device, VkCommandBuffer commands);

/// Command buffers used in rotation, each with the memory that its commands read.
class Recorder {
 public:
    explicit Recorder(std::shared_ptr<LogicalDevice> device);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Reserves space for `nodes` more blocks in the open command buffer; opens one if necessary.
    void reserve(std::size_t nodes);
    bool is_open() const { return open_ != nullptr; }
    /// The open command buffer.
    VkCommandBuffer commands() const { return open_->commands; }
    /// Delays the next submission until the device's relay has reached this number.
    void wait_for(std::uint64_t relayed) { relayed_ = std::max(relayed_, relayed); }

    /// Stores a node's parameters and returns their offset for dispatch().
    std::uint32_t add(const NodeBlock& block);
    void dispatch(VkPipeline pipeline, VkPipelineLayout layout, std::uint32_t node,
                  const std::array<std::uint32_t, 3>& groups, std::span<const MemoryRange> reads,
                  std::span<const MemoryRange> writes);
    /// Copies between two allocations.
    void copy(const Memory& source, std::uint64_t source_offset, const Memory& destination,
              std::uint64_t destination_offset, std::uint64_t bytes);
    /// Host memory for the open command buffer, kept until its commands have completed.
    Memory& staging(std::uint64_t bytes);

    /// Closes and submits the open command buffer, if any; returns the number of the last submission.
    std::uint64_t submit();

 private:
    struct Slot {
        VkCommandBuffer commands = VK_NULL_HANDLE;
        std::uint64_t submission = 0;
        std::unique_ptr<Memory> nodes;
        VkDescriptorSet set = VK_NULL_HANDLE;  ///< for `nodes`
        VkDescriptorPool sets = VK_NULL_HANDLE;
        std::size_t node_count = 0;
        /// Outgrown blocks, needed until the commands have completed.
        std::vector<std::unique_ptr<Memory>> kept;
    };
    void begin(std::size_t nodes);
    /// Memory for this many nodes, with the descriptor for shaders.
    void make_nodes(Slot& slot, std::size_t nodes);
    void barrier_if_needed(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);

    std::shared_ptr<LogicalDevice> device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::array<Slot, 8> slots_{};
    std::size_t next_ = 0;
    Slot* open_ = nullptr;
    Hazards hazards_;
    std::uint64_t last_ = 0;
    std::uint64_t relayed_ = 0;
};

}  // namespace splitscope::vulkan
