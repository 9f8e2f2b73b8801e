// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/attach/child_process.hpp"
#include "engine/messages/message.hpp"

namespace splitscope {

/// How the session with a program ended.
struct AttachEnd {
    ProgramEnd program;
    std::string last_words;  ///< the last output of the engine before it aborted the process
    Message refusal;         ///< why the program cannot be debugged; empty = it can
    Message problem;         ///< an error of the channel; empty = none
    bool attached = false;   ///< the program called a function of the scheduler
};

/// Throws Error(unsupported) with the reason why no graph of the program was seen.
[[noreturn]] void throw_nothing_seen(const AttachEnd& end, const std::string& program);

}  // namespace splitscope
