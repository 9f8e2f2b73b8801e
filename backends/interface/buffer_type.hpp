// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

class Buffer;

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// A kind of memory (backend-api.md §2). "The same buffer type" always means the same object.
class BufferType {
 public:
    BufferType() = default;
    virtual ~BufferType() = default;
    BufferType(const BufferType&) = delete;
    BufferType& operator=(const BufferType&) = delete;

    virtual const std::string& name() const = 0;
    /// A power of two.
    virtual std::uint64_t alignment() const = 0;
    /// Largest buffer it can make; kUnlimited without a limit.
    virtual std::uint64_t max_size() const { return kUnlimited; }
    /// Bytes the tensor takes in this type; never less than byte_size().
    virtual std::uint64_t alloc_size(const GraphView& graph, TensorId tensor) const;
    /// Ordinary host memory in standard layout.
    virtual bool is_host() const { return false; }
    /// A new buffer. Throws Error(memory) naming the type and the bytes asked for.
    virtual std::unique_ptr<Buffer> allocate(std::uint64_t size) = 0;
};

}  // namespace splitscope
