// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope::recorder {

/// Destination of a recording.
class TextSink {
 public:
    TextSink() = default;
    TextSink(const TextSink&) = delete;
    TextSink& operator=(const TextSink&) = delete;
    virtual ~TextSink() = default;

    /// Writes a complete block. False on error; later writes are then ignored.
    virtual bool write(std::string_view block) = 0;
};

}  // namespace splitscope::recorder
