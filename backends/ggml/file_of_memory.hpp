// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace splitscope::ggml {

struct FilePlace {
    std::string file;
    std::uint64_t offset = 0;  ///< a multiple of the page size
};

/// The file that memory of this process is a mapping of; nothing when it is none, begins inside a page, or
/// the file has been replaced or removed since.
std::optional<FilePlace> file_of_memory(std::span<const std::byte> memory);

}  // namespace splitscope::ggml
