// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "engine/support/job.hpp"

namespace splitscope {

class GgufFile;

struct ChatMessage {
    std::string role;  ///< "system", "user" or "assistant"
    std::string content;
};

/// The prompt that the file's chat template makes of the messages, up to the start of the answer. `now`: the
/// date that templates may print. Throws Error(usage) if the file has no template or the template refuses the
/// messages, Error(unsupported) with the feature if the template uses one that is not implemented.
std::string chat_prompt(const GgufFile& file, std::span<const ChatMessage> messages,
                        std::chrono::system_clock::time_point now, const JobContext& job = {});

}  // namespace splitscope
