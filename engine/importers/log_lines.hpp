// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// Undoes what loggers do to lines (placement.md §11.1): colour sequences, time and level before every
/// fragment, a carriage return at the end. The result refers to the line itself when nothing had to go, else
/// to a buffer that the next call overwrites.
class LineCleaner {
 public:
    std::string_view clean(std::string_view line);

 private:
    std::string buffer_;
};

/// Skips the level that a logger without times puts before a fragment: "D " and the like.
void skip_level(std::string_view& rest);

}  // namespace splitscope
