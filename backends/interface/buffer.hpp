// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backends/interface/buffer_type.hpp"
#include "backends/interface/status.hpp"
#include "backends/interface/tensor_place.hpp"

namespace splitscope {

enum class BufferUsage { any, weights, compute };

std::string_view name_of(BufferUsage usage);

/// Memory of one buffer type (backend-api.md §3). Virtual functions work on byte ranges; tensor_access.hpp
/// checks tensors, ranges and states before calling them.
class Buffer {
 public:
    Buffer(BufferType& type, std::uint64_t size) : type_(type), size_(size) {}
    virtual ~Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    BufferType& type() const { return type_; }
    std::uint64_t size() const { return size_; }
    virtual const std::string& name() const { return type_.name(); }
    bool is_host() const { return type_.is_host(); }

    BufferUsage usage() const { return usage_; }
    virtual void set_usage(BufferUsage usage) { usage_ = usage; }

    /// Start of host memory; null for device memory and empty buffers.
    virtual std::byte* host_base() { return nullptr; }

    /// Called when a tensor has been placed in this buffer.
    virtual Status init_tensor(const BoundGraph&, TensorId) { return Status::success; }

    virtual void write(std::uint64_t offset, std::span<const std::byte> data) = 0;
    virtual void read(std::uint64_t offset, std::span<std::byte> data) = 0;
    /// Throws Error(unsupported) by default.
    virtual void fill(std::uint64_t offset, std::uint64_t size, std::byte value);
    virtual void clear(std::byte value) = 0;
    /// Copies `size` bytes from another buffer; false if there is no direct copy between the two.
    virtual bool copy_from(Buffer&, std::uint64_t /*source_offset*/, std::uint64_t /*offset*/,
                           std::uint64_t /*size*/) {
        return false;
    }
    /// Discards per-tensor data before the buffer is reused.
    virtual void reset() {}

 private:
    BufferType& type_;
    std::uint64_t size_;
    BufferUsage usage_ = BufferUsage::any;
};

}  // namespace splitscope
