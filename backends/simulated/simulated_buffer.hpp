// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/interface/buffer.hpp"
#include "backends/interface/machine.hpp"

namespace splitscope {

/// How generations before 2025-06 sized tensors with an empty dimension: not at all specially.
enum class EmptyTensors : std::uint8_t { have_no_bytes, wrap_around };

/// What a real buffer type was seen to give a tensor of the graph.
struct RecordedSize {
    TensorId tensor;
    std::uint64_t bytes = 0;
};

/// A buffer type described by a machine file. Its sizes are exactly those asked for.
class SimulatedBufferType final : public BufferType {
 public:
    SimulatedBufferType(const MachineBufferType& description, EmptyTensors empty_tensors)
        : description_(description), empty_tensors_(empty_tensors) {}

    /// In the order of their tensors, each named once.
    void set_recorded_sizes(std::vector<RecordedSize> sizes) { recorded_sizes_ = std::move(sizes); }

    const std::string& name() const override { return description_.name; }
    std::uint64_t alignment() const override { return description_.alignment; }
    std::uint64_t max_size() const override { return description_.max_size.value_or(kUnlimited); }
    std::uint64_t alloc_size(const GraphView& graph, TensorId tensor) const override;
    bool is_host() const override { return description_.is_host; }
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

 private:
    MachineBufferType description_;
    EmptyTensors empty_tensors_;
    std::vector<RecordedSize> recorded_sizes_;
};

/// A buffer without memory: it has a size and a usage. Reading gives zeros, writing is forgotten.
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
