// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <span>
#include <string>

namespace splitscope {

class GgufFile;

struct ChatMessage {
    std::string role;  ///< "system", "user" or "assistant"
    std::string content;
};

/// The messages as the file's chat template writes them, ready for the answer. Templates may ask for the
/// date: `now`. Throws Error(usage) for a file without a template or for messages that its template refuses,
/// Error(unsupported) naming what its template uses and this program does not have.
std::string chat_prompt(const GgufFile& file, std::span<const ChatMessage> messages,
                        std::chrono::system_clock::time_point now);

}  // namespace splitscope
