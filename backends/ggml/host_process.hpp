// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <mutex>

#include <sys/types.h>

#include "backends/ggml/descriptor.hpp"
#include "engine/messages/message.hpp"

namespace splitscope::ggml {

/// This program, where it is the splitscope program, else the one beside it or in PATH. Errors: io.
std::filesystem::path host_program();

/// A process that was started with a socket and an area (protocol.hpp). It is ended with the object. What it
/// prints is kept: its last words.
class HostProcess {
 public:
    /// Throws Error(io) when it cannot be started.
    HostProcess(const std::filesystem::path& program, int socket, int area);
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// Only what it prints from now on counts as last words.
    void forget_words();
    /// Ends it if it still runs; how it ended.
    Message end();
    pid_t process() const { return process_; }

 private:
    std::string last_words() const;

    std::mutex mutex_;
    Descriptor printed_;
    pid_t process_ = 0;
    bool ended_ = false;
    int status_ = 0;
};

}  // namespace splitscope::ggml
