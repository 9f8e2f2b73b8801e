// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace splitscope {

/// Strips logger decoration from lines (placement.md §11.1): colour sequences, timestamp and level before
/// each fragment, trailing carriage return. The result refers to the line itself if nothing was removed, else
/// to a buffer that the next call overwrites.
class LineCleaner {
 public:
    std::string_view clean(std::string_view line);

 private:
    std::string buffer_;
};

/// Skips the level prefix of loggers without timestamps, such as "D ".
void skip_level(std::string_view& rest);

}  // namespace splitscope
