// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/support/descriptor.hpp"

namespace splitscope::ggml {

/// Memory mapped by two processes. bytes() is empty if mapping failed; errno has the reason.
class SharedMemory {
 public:
    SharedMemory() = default;
    /// New zeroed memory.
    static SharedMemory make(const char* name, std::uint64_t size);
    /// Maps memory of another process, or read-only a part of a file. `offset` is a multiple of the page
    /// size. Mapping beyond the end fails.
    static SharedMemory map(Descriptor descriptor, std::uint64_t offset, std::uint64_t size, bool writable);
    ~SharedMemory();
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /// Populates the page tables if the kernel can (Linux 5.14); otherwise the first pass over the memory
    /// takes a fault per page.
    void populate();

    std::span<std::byte> bytes() const { return bytes_; }
    int descriptor() const { return descriptor_.get(); }

 private:
    Descriptor descriptor_;
    std::span<std::byte> bytes_;
};

}  // namespace splitscope::ggml
