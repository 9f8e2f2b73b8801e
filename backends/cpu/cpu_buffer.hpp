// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

#include "backends/interface/buffer.hpp"

namespace splitscope {

struct CpuBufferTypeOptions {
    std::string name = "CPU";
    bool is_host = true;
    std::uint64_t alignment = 32;  ///< the minimum that a mapped model file guarantees
};

/// Ordinary memory (backend-api.md §8.2). A type that is not host memory simulates an accelerator's: only its
/// own device accesses it, so that data has to be copied.
class CpuBufferType final : public BufferType {
 public:
    explicit CpuBufferType(CpuBufferTypeOptions options) : options_(std::move(options)) {}

    const std::string& name() const override { return options_.name; }
    std::uint64_t alignment() const override { return options_.alignment; }
    bool is_host() const override { return options_.is_host; }
    /// Exactly `size` bytes, 64-byte aligned, uninitialised. Throws Error(memory).
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

    /// A buffer over existing memory, which must outlive it and is only read. Throws Error(align) if it is
    /// not aligned for this type.
    std::unique_ptr<Buffer> wrap(std::span<const std::byte> memory);
    /// A buffer over existing writable memory.
    std::unique_ptr<Buffer> wrap(std::span<std::byte> memory);

 private:
    CpuBufferTypeOptions options_;
};

}  // namespace splitscope
