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

/// The file that this memory maps; empty if it is not a file mapping or does not start on a page, or if the
/// file was replaced or removed.
std::optional<FilePlace> file_of_memory(std::span<const std::byte> memory);

}  // namespace splitscope::ggml
