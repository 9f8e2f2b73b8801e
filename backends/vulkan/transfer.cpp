// SPDX-License-Identifier: MIT
#include "backends/vulkan/transfer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "backends/vulkan/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::vulkan {
namespace {

/// Larger transfers are divided into pieces of this size.
constexpr std::uint64_t kPiece = std::uint64_t{16} << 20;

}  // namespace

Transfer::Transfer(std::shared_ptr<LogicalDevice> device) : device_(device), recorder_(std::move(device)) {}

void Transfer::wait_for_queue() const {
    device_->wait(device_->submitted(), msg::kCannotFinishBeforeTransfer);
}

void Transfer::finish() {
    device_->wait(recorder_.submit(), msg::kCannotFinishTransfer);
}

void Transfer::write(Memory& memory, std::uint64_t offset, std::span<const std::byte> data) {
    const std::scoped_lock lock(mutex_);
    if (memory.mapped() != nullptr) {
        wait_for_queue();
        std::memcpy(memory.mapped() + offset, data.data(), data.size());
        return;
    }
    if (staging_ == nullptr) staging_ = std::make_unique<Memory>(device_, MemoryKind::host, kPiece);
    for (std::uint64_t done = 0; done < data.size(); done += kPiece) {
        const std::uint64_t bytes = std::min<std::uint64_t>(kPiece, data.size() - done);
        std::memcpy(staging_->mapped(), data.data() + done, bytes);
        recorder_.copy(*staging_, 0, memory, offset + done, bytes);
        finish();
    }
}

void Transfer::read(const Memory& memory, std::uint64_t offset, std::span<std::byte> data) {
    const std::scoped_lock lock(mutex_);
    if (memory.mapped() != nullptr) {
        wait_for_queue();
        std::memcpy(data.data(), memory.mapped() + offset, data.size());
        return;
    }
    if (staging_ == nullptr) staging_ = std::make_unique<Memory>(device_, MemoryKind::host, kPiece);
    for (std::uint64_t done = 0; done < data.size(); done += kPiece) {
        const std::uint64_t bytes = std::min<std::uint64_t>(kPiece, data.size() - done);
        recorder_.copy(memory, offset + done, *staging_, 0, bytes);
        finish();
        std::memcpy(data.data() + done, staging_->mapped(), bytes);
    }
}

void Transfer::fill(Memory& memory, std::uint64_t offset, std::uint64_t bytes, std::byte value) {
    if (memory.mapped() != nullptr) {
        const std::scoped_lock lock(mutex_);
        wait_for_queue();
        std::memset(memory.mapped() + offset, std::to_integer<int>(value), bytes);
        return;
    }
    // The device fills whole words.
    constexpr std::uint64_t kWord = 4;
    std::array<std::byte, kWord> word{};
    word.fill(value);
    const std::uint64_t end = offset + bytes;
    const std::uint64_t first = std::min(round_up(offset, kWord), end);
    const std::uint64_t last = std::max(end / kWord * kWord, first);
    if (first > offset) write(memory, offset, std::span(word).first(first - offset));
    if (end > last) write(memory, last, std::span(word).first(end - last));
    if (last == first) return;
    const std::scoped_lock lock(mutex_);
    recorder_.fill(memory, first, last - first, std::bit_cast<std::uint32_t>(word));
    finish();
}

void Transfer::copy(const Memory& source, std::uint64_t source_offset, Memory& destination,
                    std::uint64_t destination_offset, std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    recorder_.copy(source, source_offset, destination, destination_offset, bytes);
    finish();
}

}  // namespace splitscope::vulkan
