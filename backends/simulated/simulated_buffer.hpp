// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/interface/buffer.hpp"
#include "backends/interface/machine.hpp"

namespace splitscope {

/// Sizes of tensors with an empty dimension; before 2025-06, without a guard.
enum class EmptyTensors : std::uint8_t { have_no_bytes, wrap_around };

/// The recorded allocation size of a tensor in a real buffer type.
struct RecordedSize {
    TensorId tensor;
    std::uint64_t bytes = 0;
};

/// A buffer type from a machine file. Sizes are exactly as requested.
class SimulatedBufferType final : public BufferType {
 public:
    SimulatedBufferType(const MachineBufferType& description, EmptyTensors empty_tensors);

    /// Sorted by tensor, without duplicates.
    void set_recorded_sizes(std::vector<RecordedSize> sizes) {
        recorded_sizes_ = std::move(sizes);
        if (!recorded_sizes_.empty()) sizes_are_bytes_ = false;
    }

    const std::string& name() const override { return description_.name; }
    std::uint64_t alignment() const override { return description_.alignment; }
    std::uint64_t max_size() const override { return description_.max_size.value_or(kUnlimited); }
    std::uint64_t alloc_size(const GraphView& graph, TensorId tensor) const override;
    bool is_host() const override { return description_.is_host; }
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

 private:
    std::uint64_t special_size(const GraphView& graph, TensorId tensor) const;

    bool sizes_are_bytes_;  ///< all allocation sizes are byte_size()
    MachineBufferType description_;
    EmptyTensors empty_tensors_;
    std::vector<RecordedSize> recorded_sizes_;
};

/// A buffer without memory, with size and usage only. Reads return zeros, writes are discarded.
class SimulatedBuffer final : public Buffer {
 public:
    using Buffer::Buffer;
    void write(std::uint64_t, std::span<const std::byte>) override {}
    void read(std::uint64_t offset, std::span<std::byte> data) override;
    void fill(std::uint64_t, std::uint64_t, std::byte) override {}
    void clear(std::byte) override {}
    bool copy_from(Buffer&, std::uint64_t, std::uint64_t, std::uint64_t) override { return true; }
};

}  // namespace splitscope
