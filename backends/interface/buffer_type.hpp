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

/// A kind of memory (backend-api.md §2). Buffer types are equal only if they are the same object.
class BufferType {
 public:
    BufferType() = default;
    virtual ~BufferType() = default;
    BufferType(const BufferType&) = delete;
    BufferType& operator=(const BufferType&) = delete;

    virtual const std::string& name() const = 0;
    /// A power of two.
    virtual std::uint64_t alignment() const = 0;
    /// Maximum size of a buffer; kUnlimited without a limit.
    virtual std::uint64_t max_size() const { return kUnlimited; }
    /// Allocation size of a tensor; at least byte_size().
    virtual std::uint64_t alloc_size(const GraphView& graph, TensorId tensor) const;
    /// Whether this is host memory with standard layout.
    virtual bool is_host() const { return false; }
    /// Allocates a buffer. Throws Error(memory) with the type and the size.
    virtual std::unique_ptr<Buffer> allocate(std::uint64_t size) = 0;
};

}  // namespace splitscope
