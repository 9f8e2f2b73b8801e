// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <mutex>

#include <sys/types.h>

#include "engine/messages/message.hpp"
#include "engine/support/descriptor.hpp"

namespace splitscope::ggml {

/// The running program if it is splitscope, else the one in the same folder or in PATH. Errors: io.
std::filesystem::path host_program();

/// A process with a socket and a shared area (protocol.hpp), terminated by the destructor. Its output is kept
/// for error messages.
class HostProcess {
 public:
    /// Throws Error(io) when it cannot be started.
    HostProcess(const std::filesystem::path& program, int socket, int area);
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// Discards the output so far.
    void clear_output();
    /// Terminates the process if it is running, and returns how it ended.
    Message end();
    pid_t process() const { return process_; }

 private:
    std::string last_output() const;

    std::mutex mutex_;
    Descriptor printed_;
    pid_t process_ = 0;
    bool ended_ = false;
    int status_ = 0;
};

}  // namespace splitscope::ggml
