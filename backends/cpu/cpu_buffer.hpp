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
    std::uint64_t alignment = 32;  ///< a mapped model file guarantees no more
};

/// Ordinary memory (backend-api.md §8.2). A type that says it is no host memory plays an accelerator's:
/// nobody but its own device touches it, so that data has to be copied.
class CpuBufferType final : public BufferType {
 public:
    explicit CpuBufferType(CpuBufferTypeOptions options) : options_(std::move(options)) {}

    const std::string& name() const override { return options_.name; }
    std::uint64_t alignment() const override { return options_.alignment; }
    bool is_host() const override { return options_.is_host; }
    /// Exactly `size` bytes, 64-byte aligned, not initialised. Throws Error(memory).
    std::unique_ptr<Buffer> allocate(std::uint64_t size) override;

    /// A buffer over existing memory, which must outlive it and is only read. Throws Error(align) when it
    /// does not start at the type's alignment.
    std::unique_ptr<Buffer> wrap(std::span<const std::byte> memory);
    /// The same over memory that may be written.
    std::unique_ptr<Buffer> wrap(std::span<std::byte> memory);

 private:
    CpuBufferTypeOptions options_;
};

}  // namespace splitscope
