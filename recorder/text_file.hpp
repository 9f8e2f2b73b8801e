// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "recorder/text_sink.hpp"

namespace splitscope::recorder {

/// A process's private recording file FOLDER/PID.recording, created on first write. Writes complete blocks,
/// so that a killed program leaves a readable file, and respects the size limit.
class TextFile final : public TextSink {
 public:
    TextFile(std::string folder, std::size_t limit) : folder_(std::move(folder)), left_(limit) {}

    /// False on a write error or if the limit is exceeded; later writes are then ignored.
    bool write(std::string_view block) override;

 private:
    bool open();

    std::string folder_;
    std::size_t left_;
    int file_ = -1;
    long process_ = 0;
    bool failed_ = false;
};

/// Longer names are cut.
inline constexpr std::size_t kMaxName = 256;

/// Appends a blank and the number.
void append_number(std::string& out, std::int64_t number);
/// Appends `text` with separators of lines and columns escaped as %XX.
void append_escaped(std::string& out, const char* text, std::size_t most);

}  // namespace splitscope::recorder
