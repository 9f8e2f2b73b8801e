// SPDX-License-Identifier: MIT
#include "backends/vulkan/node_timer.hpp"

#include "backends/vulkan/check.hpp"
#include "backends/vulkan/messages.hpp"

namespace splitscope::vulkan {

NodeTimer::~NodeTimer() {
    device_->call().vkDestroyQueryPool(device_->handle(), pool_, nullptr);
}

void NodeTimer::begin(VkCommandBuffer commands, std::size_t nodes) {
    const auto wanted = static_cast<std::uint32_t>(nodes + 1);
    const VolkDeviceTable& call = device_->call();
    stamps_ = 0;
    if (room_ < wanted) {
        call.vkDestroyQueryPool(device_->handle(), pool_, nullptr);
        pool_ = VK_NULL_HANDLE;
        room_ = 0;
        VkQueryPoolCreateInfo info{};
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = wanted;
        check(call.vkCreateQueryPool(device_->handle(), &info, nullptr, &pool_), msg::kCannotTimeNodes,
              device_->name());
        room_ = info.queryCount;
    }
    call.vkCmdResetQueryPool(commands, pool_, 0, room_);
    mark(commands);
}

void NodeTimer::mark(VkCommandBuffer commands) {
    device_->call().vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, stamps_++);
}

std::vector<std::chrono::nanoseconds> NodeTimer::take() {
    std::vector<std::uint64_t> ticks(stamps_);
    std::vector<std::chrono::nanoseconds> times;
    if (stamps_ == 0) return times;
    const VkResult read = device_->call().vkGetQueryPoolResults(
        device_->handle(), pool_, 0, stamps_, ticks.size() * sizeof(std::uint64_t), ticks.data(),
        sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    stamps_ = 0;
    check(read, msg::kCannotReadTimes, device_->name());
    const PhysicalDevice& physical = device_->physical();
    for (std::size_t i = 1; i < ticks.size(); ++i) {
        // The timestamp counter may wrap between two readings.
        const std::uint64_t passed = (ticks[i] - ticks[i - 1]) & physical.timestamp_mask;
        times.emplace_back(
            static_cast<std::int64_t>(static_cast<double>(passed) * physical.timestamp_period));
    }
    return times;
}

}  // namespace splitscope::vulkan
