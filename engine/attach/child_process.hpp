// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace splitscope {

/// How a program ended.
struct ProgramEnd {
    int exit_code = 0;  ///< without a signal
    int signal = 0;     ///< that ended it; 0 = none

    bool well() const { return exit_code == 0 && signal == 0; }
};

/// Where a program's standard output goes.
enum class ProgramOutput : std::uint8_t {
    inherited,  ///< ours
    on_error,   ///< our standard error
    kept,       ///< standard output and error into files, so that it may outlive us
};

/// A program as if it had been started without us, in nothing but its environment another one. It is not
/// ended with this object.
class ChildProcess {
 public:
    struct Start {
        std::vector<std::string> arguments;    ///< the program first, looked for as a shell does
        std::vector<std::string> environment;  ///< whole: NAME=VALUE
        std::filesystem::path folder;          ///< empty = ours
        ProgramOutput output = ProgramOutput::inherited;
        std::filesystem::path kept_output;  ///< for ProgramOutput::kept
        std::filesystem::path kept_error;
    };
    /// Throws Error(io) when it cannot be started.
    explicit ChildProcess(const Start& start);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t process() const { return process_; }
    /// Readable when it has ended.
    int descriptor() const { return descriptor_; }
    /// Nothing while it runs. Not for several threads at once.
    std::optional<ProgramEnd> end();
    /// Waits for its end; until end() is asked, its number stays its own.
    void wait() const;
    void signal(int number) const;

 private:
    pid_t process_ = 0;
    int descriptor_ = -1;
    std::optional<ProgramEnd> end_;
};

}  // namespace splitscope
