// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// Facts about the machine from lines of a program's log that are not of graphs (placement.md §11.3). If a
/// program creates several contexts, the last number of copies wins; buffers are all kept.
struct LogFacts {
    std::vector<std::string> compute_buffers;  ///< their types, in the order of the log
    std::optional<std::int64_t> copies;

    /// Parses one line without its logger prefix. False if it is none of §11.3.
    bool take(std::string_view line);
};

}  // namespace splitscope
