// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "backends/vulkan/memory.hpp"
#include "backends/vulkan/recording.hpp"

namespace splitscope::vulkan {

/// Synchronous transfers. They wait for all previously queued work.
class Transfer {
 public:
    explicit Transfer(std::shared_ptr<LogicalDevice> device);

    void write(Memory& memory, std::uint64_t offset, std::span<const std::byte> data);
    void read(const Memory& memory, std::uint64_t offset, std::span<std::byte> data);
    void fill(Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value);
    void copy(const Memory& source, std::uint64_t source_offset, Memory& destination,
              std::uint64_t destination_offset, std::uint64_t bytes);

 private:
    void wait_for_queue() const;
    void finish();

    std::shared_ptr<LogicalDevice> device_;
    std::mutex mutex_;
    Recorder recorder_;
    std::unique_ptr<Memory> staging_;
};

}  // namespace splitscope::vulkan
