// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backends/ggml/engine.hpp"
#include "backends/ggml/shared_memory.hpp"
#include "backends/interface/buffer.hpp"

namespace splitscope::ggml {

/// A buffer of the engine. Memory of its CPU is also mapped into this process.
class GgmlBuffer final : public Buffer {
 public:
    /// `memory` empty = accessible to the engine only. `file`: a mapped file, read-only.
    GgmlBuffer(BufferType& type, std::shared_ptr<Engine> engine, std::uint64_t id, std::uint64_t size,
               SharedMemory memory, bool file = false);
    ~GgmlBuffer() override;

    const Engine& engine() const { return *engine_; }
    std::uint64_t id() const { return id_; }

    void set_usage(BufferUsage usage) override;
    std::byte* host_base() override { return memory_.bytes().empty() ? nullptr : memory_.bytes().data(); }
    void write(std::uint64_t offset, std::span<const std::byte> data) override;
    void read(std::uint64_t offset, std::span<std::byte> data) override;
    void fill(std::uint64_t offset, std::uint64_t size, std::byte value) override;
    void clear(std::byte value) override;
    /// Copies from another buffer of the same engine, within its process.
    bool copy_from(Buffer& source, std::uint64_t source_offset, std::uint64_t offset,
                   std::uint64_t size) override;

 private:
    void require_writable() const;

    std::shared_ptr<Engine> engine_;
    std::uint64_t id_;
    SharedMemory memory_;
    bool file_;
};

/// A buffer type of the engine, for one of its devices.
class GgmlBufferType final : public BufferType {
 public:
    GgmlBufferType(std::shared_ptr<Engine> engine, std::uint32_t index, std::uint32_t device,
                   std::string name);

    const std::string& name() const override { return name_; }
    std::uint64_t alignment() const override { return facts().alignment; }
    std::uint64_t max_size() const override { return facts().max_size; }
    std::uint64_t alloc_size(const GraphView& graph, TensorId tensor) const override;
    /// Whether the memory is shared with this process.
    bool is_host() const override { return shares_; }
    /// Errors: limit, if `size` exceeds max_size(); memory.
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

    const Engine& engine() const { return *engine_; }
    std::uint32_t index() const { return index_; }

 private:
    const BufferTypeFacts& facts() const { return engine_->facts().buffer_types[index_]; }

    std::shared_ptr<Engine> engine_;
    std::uint32_t index_;
    std::uint32_t device_;
    std::string name_;
    bool shares_;
};

}  // namespace splitscope::ggml
