// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/require.hpp"

namespace splitscope::fuzz {

/// An anonymous file, for readers that require a path.
class MemoryFile {
 public:
    explicit MemoryFile(std::string_view content) : fd_(::memfd_create("splitscope-fuzz", MFD_CLOEXEC)) {
        require(fd_ >= 0, "a file in memory can be made");
        const auto written = ::write(fd_, content.data(), content.size());
        require(written == static_cast<ssize_t>(content.size()), "a file in memory can be written");
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
    int fd_;
};

}  // namespace splitscope::fuzz
