// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/attach/child_process.hpp"
#include "engine/messages/message.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

/// How the session with a program ended.
struct AttachEnd {
    ProgramEnd program;
    std::string abort_message;  ///< ggml's, before it aborted the process
    Message refusal;            ///< why the program cannot be debugged; empty = it can
    Message problem;            ///< an error of the channel; empty = none
    bool attached = false;      ///< the program called a function of the scheduler
    std::vector<int> others{};  ///< other processes that used ggml and were not debugged
};

/// The processes that were not debugged; empty if there are none.
Message not_debugged(const AttachEnd& end);

/// Why no graph of the program was seen.
Error nothing_seen(const AttachEnd& end, const std::string& program);

}  // namespace splitscope
