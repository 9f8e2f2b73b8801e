// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends/interface/device_work.hpp"
#include "backends/vulkan/hazards.hpp"
#include "backends/vulkan/memory.hpp"
#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/pipelines.hpp"

namespace splitscope::vulkan {

/// What a barrier does for the host; as this is expensive on GPUs, only the first and the last of a command
/// buffer do it.
enum class Host : std::uint8_t { nothing, has_written, will_read };
/// A full barrier between all earlier and later commands of the queue.
void record_barrier(const LogicalDevice& device, VkCommandBuffer commands, Host host);

/// Command buffers used in rotation, each with the memory that its commands read.
class Recorder {
 public:
    enum class Use : std::uint8_t {
        once,
        repeated,  ///< finish() returns commands that others submit, any number of times
    };
    explicit Recorder(std::shared_ptr<LogicalDevice> device, Use use = Use::once);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Reserves space for `nodes` more blocks in the open command buffer; opens one if necessary.
    void reserve(std::size_t nodes);
    /// Whether there are commands that are not submitted.
    bool is_open() const { return open_ != nullptr || !queued_.empty(); }
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
    /// Fills memory with copies of a word; `offset` and `bytes` are multiples of its size.
    void fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word);
    /// Copies `data`, which is read at once. Uploads without other commands in between become one command for
    /// each destination.
    void upload(std::span<const std::byte> data, const Memory& destination, std::uint64_t offset);
    /// Host memory for the open command buffer, kept until its commands have completed.
    Memory& staging(std::uint64_t bytes);

    /// Submits everything queued in one submission, if there is anything; returns the number of the last
    /// submission.
    std::uint64_t submit();
    /// Queues `recorded`, with its counted commands, for submission after the open commands and before later
    /// ones.
    void append(VkCommandBuffer recorded, const DeviceWork& work);
    /// Closes the open command buffer of a Recorder for repeated use.
    VkCommandBuffer finish();
    /// As finish(), but opens another command buffer with the same memory.
    VkCommandBuffer split();
    /// Allocates memory for uploads of these sizes before it is needed.
    void prepare_uploads(std::span<const std::uint64_t> sizes);

    /// Adds to DeviceWork::touched_bytes.
    void count_touched(std::uint64_t bytes) { work_.touched_bytes += bytes; }
    /// Commands since the last call. Those of a Recorder for repeated use are of one execution.
    DeviceWork take_work();

 private:
    struct Slot {
        VkCommandBuffer commands = VK_NULL_HANDLE;
        std::uint64_t submission = 0;
        std::unique_ptr<Memory> nodes;
        VkDescriptorSet set = VK_NULL_HANDLE;  ///< for `nodes`
        VkDescriptorPool sets = VK_NULL_HANDLE;
        std::size_t node_count = 0;
        std::unique_ptr<Memory> uploads;
        std::uint64_t uploaded = 0;  ///< bytes of `uploads` in use
        /// Outgrown blocks, needed until the commands have completed.
        std::vector<std::unique_ptr<Memory>> kept;
    };
    /// A copy from an upload block that is not recorded yet.
    struct Upload {
        const Memory* source;
        const Memory* destination;
        VkBufferCopy region;
        MemoryRange written() const { return {destination->address() + region.dstOffset, region.size}; }
    };
    struct Queued {
        VkCommandBuffer commands;
        Slot* slot;  ///< null: another's commands
    };
    Slot& free_slot();
    void begin(std::size_t nodes);
    VkCommandBuffer new_commands() const;
    void open(Slot& slot);
    /// Replaces the upload block by one for at least `bytes`.
    void make_uploads(Slot& slot, std::uint64_t bytes);
    /// Memory for this many nodes, with the descriptor for shaders.
    void make_nodes(Slot& slot, std::size_t nodes);
    void barrier_if_needed(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);
    void barrier(Host host = Host::nothing);
    void record_uploads();
    void end(Slot& slot);
    void close();

    std::shared_ptr<LogicalDevice> device_;
    Use use_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    std::array<Slot, 8> slots_{};
    Slot* open_ = nullptr;
    std::vector<Queued> queued_;  ///< recorded and not submitted
    std::vector<Upload> uploads_;
    Hazards hazards_;
    DeviceWork work_;
    std::uint64_t last_ = 0;
    std::uint64_t relayed_ = 0;
};

}  // namespace splitscope::vulkan
