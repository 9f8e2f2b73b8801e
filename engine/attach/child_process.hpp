// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "engine/support/descriptor.hpp"

namespace splitscope {

/// Exit status of a program.
struct ProgramEnd {
    int exit_code = 0;  ///< valid if `signal` is 0; -1 = not known, because SIGCHLD is ignored
    int signal = 0;     ///< the signal that terminated it; 0 = none

    bool succeeded() const { return exit_code == 0 && signal == 0; }
};

/// Destination of a program's standard output.
enum class ProgramOutput : std::uint8_t {
    inherited,  ///< that of this process
    on_error,   ///< standard error of this process
    kept,       ///< standard output and error go to files, so that the program can outlive this process
};

/// A child process with the environment given. Destroying the object does not terminate it.
class ChildProcess {
 public:
    struct Start {
        std::vector<std::string> arguments;    ///< the program first, looked up in PATH
        std::vector<std::string> environment;  ///< the complete environment: NAME=VALUE
        std::filesystem::path folder;          ///< working folder; empty = the current one
        ProgramOutput output = ProgramOutput::inherited;
        std::filesystem::path kept_output;  ///< for ProgramOutput::kept
        std::filesystem::path kept_error;
    };
    /// Throws Error(io) if the program cannot be started.
    explicit ChildProcess(const Start& start);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t process() const { return process_; }
    /// A descriptor that becomes readable when the process has ended.
    int descriptor() const { return descriptor_.get(); }
    /// Empty while the process runs. Not thread-safe.
    std::optional<ProgramEnd> end();
    /// Waits for the process to end. Its process id stays reserved until end() is called.
    void wait() const;
    void signal(int number) const;

 private:
    pid_t process_ = 0;
    Descriptor descriptor_;
    std::optional<ProgramEnd> end_;
};

}  // namespace splitscope
