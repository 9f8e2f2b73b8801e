// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope::recorder {

/// Where a recording goes.
class TextSink {
 public:
    TextSink() = default;
    TextSink(const TextSink&) = delete;
    TextSink& operator=(const TextSink&) = delete;
    virtual ~TextSink() = default;

    /// A whole block. False when it could not be written: then nothing is, ever again.
    virtual bool write(std::string_view block) = 0;
};

}  // namespace splitscope::recorder
