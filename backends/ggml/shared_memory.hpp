// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/ggml/descriptor.hpp"

namespace splitscope::ggml {

/// Memory that two processes map. Nothing is mapped when bytes() is empty; errno says why.
class SharedMemory {
 public:
    SharedMemory() = default;
    /// New memory, zeroed.
    static SharedMemory make(const char* name, std::uint64_t size);
    /// What another process made, or a part of a file, which is only read then. `offset` is a multiple of the
    /// page size. Mapping beyond the end of what is there fails.
    static SharedMemory map(Descriptor descriptor, std::uint64_t offset, std::uint64_t size, bool writable);
    ~SharedMemory();
    SharedMemory(SharedMemory&& other) noexcept;
    SharedMemory& operator=(SharedMemory&& other) noexcept;
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::span<std::byte> bytes() const { return bytes_; }
    int descriptor() const { return descriptor_.get(); }

 private:
    Descriptor descriptor_;
    std::span<std::byte> bytes_;
};

}  // namespace splitscope::ggml
