// SPDX-License-Identifier: MIT
#include "backends/vulkan/recording.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::vulkan {
namespace {

/// Uploads begin at multiples of this, and their memory is at least so large.
constexpr std::uint64_t kUploadAlignment = 16;
constexpr std::uint64_t kMinUploads = std::uint64_t{1} << 16;
/// The device's own memory that the host can write may be small: larger uploads go through the host's.
constexpr std::uint64_t kMaxUploads = std::uint64_t{4} << 20;

}  // namespace

void record_barrier(const LogicalDevice& device, VkCommandBuffer commands, Host host) {
    constexpr VkPipelineStageFlags kDevice =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    constexpr VkAccessFlags kReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    VkPipelineStageFlags before = kDevice;
    VkPipelineStageFlags after = kDevice;
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = kWrites;
    barrier.dstAccessMask = kReads | kWrites;
    if (host == Host::has_written) {
        before |= VK_PIPELINE_STAGE_HOST_BIT;
        barrier.srcAccessMask |= VK_ACCESS_HOST_WRITE_BIT;
    }
    if (host == Host::will_read) {
        after |= VK_PIPELINE_STAGE_HOST_BIT;
        barrier.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    }
    device.call().vkCmdPipelineBarrier(commands, before, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

Recorder::Recorder(std::shared_ptr<LogicalDevice> device, Use use) : device_(std::move(device)), use_(use) {
    VkCommandPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    info.queueFamilyIndex = device_->physical().compute_family;
    check(device_->call().vkCreateCommandPool(device_->handle(), &info, nullptr, &pool_),
          msg::kCannotMakeCommandPool, device_->name());
    for (Slot& slot : slots_) slot.commands = new_commands();
}

VkCommandBuffer Recorder::new_commands() const {
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool_;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(device_->call().vkAllocateCommandBuffers(device_->handle(), &allocate, &commands),
          msg::kCannotMakeCommandBuffer, device_->name());
    return commands;
}

void Recorder::make_nodes(Slot& slot, std::size_t nodes) {
    constexpr std::size_t kMin = 64;
    constexpr std::uint32_t kMaxSets = 16;  // per command buffer; each twice as large as the previous one
    const VolkDeviceTable& call = device_->call();
    const std::size_t before = slot.nodes != nullptr ? slot.nodes->size() / kNodeStride : 0;
    // In the device's memory, as every kernel reads its node first.
    auto memory = std::make_unique<Memory>(device_, MemoryKind::upload,
                                           std::max({nodes, 2 * before, kMin}) * kNodeStride);
    if (slot.sets == VK_NULL_HANDLE) {
        const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kMaxSets};
        VkDescriptorPoolCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        info.maxSets = kMaxSets;
        info.poolSizeCount = 1;
        info.pPoolSizes = &size;
        check(call.vkCreateDescriptorPool(device_->handle(), &info, nullptr, &slot.sets),
              msg::kCannotMakeDescriptorPool, device_->name());
    }
    const VkDescriptorSetLayout layout = device_->node_layout();
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = slot.sets;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    check(call.vkAllocateDescriptorSets(device_->handle(), &allocate, &set), msg::kCannotMakeDescriptorSet,
          device_->name());
    const VkDescriptorBufferInfo buffer{memory->buffer(), 0, sizeof(NodeBlock)};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    write.pBufferInfo = &buffer;
    call.vkUpdateDescriptorSets(device_->handle(), 1, &write, 0, nullptr);
    if (slot.nodes != nullptr) slot.kept.push_back(std::move(slot.nodes));
    slot.nodes = std::move(memory);
    slot.set = set;
    slot.node_count = 0;
}

Recorder::~Recorder() {
    device_->relay().wait_for(relayed_);
    device_->wait_idle();
    for (const Slot& slot : slots_)
        device_->call().vkDestroyDescriptorPool(device_->handle(), slot.sets, nullptr);
    device_->call().vkDestroyCommandPool(device_->handle(), pool_, nullptr);
}

/// The first that is not in use, as it has memory of earlier commands; else the one whose commands are
/// oldest.
Recorder::Slot& Recorder::free_slot() {
    Slot* oldest = nullptr;
    for (Slot& slot : slots_) {
        if (std::ranges::find(queued_, &slot, &Queued::slot) != queued_.end()) continue;
        if (device_->is_done(slot.submission)) return slot;
        if (oldest == nullptr || slot.submission < oldest->submission) oldest = &slot;
    }
    if (oldest != nullptr) return *oldest;
    submit();
    return slots_.front();
}

void Recorder::begin(std::size_t nodes) {
    Slot& slot = free_slot();
    device_->wait(slot.submission, msg::kCannotFinishEarlier);
    slot.kept.clear();
    slot.node_count = 0;
    slot.uploaded = 0;
    if (slot.nodes == nullptr || slot.nodes->size() < nodes * kNodeStride) {
        // The sets of this slot are unused.
        slot.nodes.reset();
        if (slot.sets != VK_NULL_HANDLE)
            device_->call().vkResetDescriptorPool(device_->handle(), slot.sets, 0);
        make_nodes(slot, nodes);
    }
    open(slot);
}

void Recorder::open(Slot& slot) {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    if (use_ == Use::once) info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(device_->call().vkBeginCommandBuffer(slot.commands, &info), msg::kCannotRecordCommands,
          device_->name());
    hazards_.clear();
    open_ = &slot;
    // The relay writes staging memory after its reader has been queued.
    barrier(Host::has_written);
}

void Recorder::reserve(std::size_t nodes) {
    if (open_ == nullptr) {
        begin(nodes);
        return;
    }
    if (open_->nodes->size() / kNodeStride >= open_->node_count + nodes) return;
    make_nodes(*open_, nodes);
}

std::uint32_t Recorder::add(const NodeBlock& block) {
    const std::size_t offset = open_->node_count++ * kNodeStride;
    std::memcpy(open_->nodes->mapped() + offset, &block, sizeof(block));
    return static_cast<std::uint32_t>(offset);
}

void Recorder::barrier(Host host) {
    record_barrier(*device_, open_->commands, host);
    ++work_.barriers;
}

void Recorder::barrier_if_needed(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) {
    if (hazards_.add(reads, writes)) barrier();
}

void Recorder::dispatch(VkPipeline pipeline, VkPipelineLayout layout, std::uint32_t node,
                        const std::array<std::uint32_t, 3>& groups, std::span<const MemoryRange> reads,
                        std::span<const MemoryRange> writes) {
    record_uploads();
    barrier_if_needed(reads, writes);
    ++work_.dispatches;
    const VolkDeviceTable& call = device_->call();
    call.vkCmdBindPipeline(open_->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    call.vkCmdBindDescriptorSets(open_->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &open_->set,
                                 1, &node);
    call.vkCmdDispatch(open_->commands, groups[0], groups[1], groups[2]);
}

void Recorder::copy(const Memory& source, std::uint64_t source_offset, const Memory& destination,
                    std::uint64_t destination_offset, std::uint64_t bytes) {
    if (bytes == 0) return;
    reserve(0);
    record_uploads();
    const std::array reads = {MemoryRange{source.address() + source_offset, bytes}};
    const std::array writes = {MemoryRange{destination.address() + destination_offset, bytes}};
    barrier_if_needed(reads, writes);
    const VkBufferCopy region{source_offset, destination_offset, bytes};
    device_->call().vkCmdCopyBuffer(open_->commands, source.buffer(), destination.buffer(), 1, &region);
    ++work_.copies;
    work_.copied_bytes += bytes;
}

void Recorder::fill(const Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word) {
    reserve(0);
    record_uploads();
    const std::array writes = {MemoryRange{memory.address() + offset, bytes}};
    barrier_if_needed({}, writes);
    device_->call().vkCmdFillBuffer(open_->commands, memory.buffer(), offset, bytes, word);
}

void Recorder::upload(std::span<const std::byte> data, const Memory& destination, std::uint64_t offset) {
    if (data.empty()) return;
    reserve(0);
    if (data.size() > kMaxUploads) {
        Memory& own = staging(data.size());
        std::memcpy(own.mapped(), data.data(), data.size());
        copy(own, 0, destination, offset, data.size());
        return;
    }
    Slot& slot = *open_;
    if (slot.uploads == nullptr || slot.uploaded + data.size() > slot.uploads->size())
        make_uploads(slot, data.size());
    Upload next{slot.uploads.get(), &destination, {slot.uploaded, offset, data.size()}};
    std::memcpy(slot.uploads->mapped() + slot.uploaded, data.data(), data.size());
    slot.uploaded += round_up<std::uint64_t>(data.size(), kUploadAlignment);
    const bool again = std::ranges::any_of(
        uploads_, [&](const Upload& earlier) { return overlap(earlier.written(), next.written()); });
    if (again) record_uploads();
    uploads_.push_back(next);
}

void Recorder::make_uploads(Slot& slot, std::uint64_t bytes) {
    const std::uint64_t before = slot.uploads != nullptr ? slot.uploads->size() : 0;
    const std::uint64_t wanted = std::clamp<std::uint64_t>(2 * before, kMinUploads, kMaxUploads);
    auto block = std::make_unique<Memory>(device_, MemoryKind::upload, std::max(wanted, bytes));
    if (slot.uploads != nullptr) slot.kept.push_back(std::move(slot.uploads));
    slot.uploads = std::move(block);
    slot.uploaded = 0;
}

void Recorder::prepare_uploads(std::span<const std::uint64_t> sizes) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t size : sizes) {
        if (size <= kMaxUploads) bytes += round_up<std::uint64_t>(size, kUploadAlignment);
    }
    bytes = std::min(bytes, kMaxUploads);
    if (bytes == 0 || open_ != nullptr) return;
    Slot& slot = free_slot();
    if (slot.nodes == nullptr) make_nodes(slot, 0);
    if (slot.uploads == nullptr || slot.uploads->size() < bytes) make_uploads(slot, bytes);
}

void Recorder::record_uploads() {
    if (uploads_.empty()) return;
    std::vector<MemoryRange> writes;
    for (const Upload& upload : uploads_) writes.push_back(upload.written());
    barrier_if_needed({}, writes);
    // One command for each pair of source and destination, in order of appearance.
    std::vector<VkBufferCopy> regions;
    while (!uploads_.empty()) {
        const Upload first = uploads_.front();
        const auto same = [&](const Upload& upload) {
            return upload.source == first.source && upload.destination == first.destination;
        };
        regions.clear();
        for (const Upload& upload : uploads_) {
            if (same(upload)) regions.push_back(upload.region);
        }
        std::erase_if(uploads_, same);
        device_->call().vkCmdCopyBuffer(open_->commands, first.source->buffer(), first.destination->buffer(),
                                        static_cast<std::uint32_t>(regions.size()), regions.data());
        ++work_.copies;
        for (const VkBufferCopy& region : regions) work_.copied_bytes += region.size;
    }
}

Memory& Recorder::staging(std::uint64_t bytes) {
    reserve(0);
    open_->kept.push_back(std::make_unique<Memory>(device_, MemoryKind::host, bytes));
    return *open_->kept.back();
}

void Recorder::end(Slot& slot) {
    record_uploads();
    barrier(Host::will_read);
    open_ = nullptr;
    check(device_->call().vkEndCommandBuffer(slot.commands), msg::kCannotRecordCommands, device_->name());
}

void Recorder::append(VkCommandBuffer recorded, const DeviceWork& work) {
    if (open_ != nullptr) close();
    queued_.push_back({recorded, nullptr});
    work_ += work;
}

void Recorder::close() {
    Slot& slot = *open_;
    end(slot);
    queued_.push_back({slot.commands, &slot});
}

std::uint64_t Recorder::submit() {
    if (!is_open()) return last_;
    const std::uint64_t relayed = std::exchange(relayed_, 0);
    std::vector<VkCommandBuffer> commands;
    try {
        if (open_ != nullptr) close();
        for (const Queued& queued : queued_) commands.push_back(queued.commands);
        last_ = device_->submit(commands, relayed);
    } catch (...) {
        open_ = nullptr;
        uploads_.clear();
        queued_.clear();
        // The relay's writes to this slot's memory are complete.
        device_->relay().wait_for(relayed);
        throw;
    }
    ++work_.submissions;
    for (const Queued& queued : queued_) {
        if (queued.slot != nullptr) queued.slot->submission = last_;
    }
    queued_.clear();
    return last_;
}

VkCommandBuffer Recorder::finish() {
    Slot& slot = *open_;
    end(slot);
    return slot.commands;
}

VkCommandBuffer Recorder::split() {
    Slot& slot = *open_;
    const VkCommandBuffer ended = finish();
    slot.commands = new_commands();
    open(slot);
    return ended;
}

DeviceWork Recorder::take_work() {
    return std::exchange(work_, {});
}

}  // namespace splitscope::vulkan
