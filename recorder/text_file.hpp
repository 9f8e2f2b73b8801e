// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "recorder/text_sink.hpp"

namespace splitscope::recorder {

/// The private file that a process's recording goes to: FOLDER/PID.recording, made when first written to.
/// Whole blocks are written, so that a program that is killed leaves a readable file, and no more than the
/// limit.
class TextFile final : public TextSink {
 public:
    TextFile(std::string folder, std::size_t limit) : folder_(std::move(folder)), left_(limit) {}

    /// False when it could not be written, or would be too large: then nothing is, ever again.
    bool write(std::string_view block) override;

 private:
    bool open();

    std::string folder_;
    std::size_t left_;
    int file_ = -1;
    long process_ = 0;
    bool failed_ = false;
};

/// `text` without bytes that lines and columns are made of: each is written %XX.
void append_escaped(std::string& out, const char* text, std::size_t most);

}  // namespace splitscope::recorder
