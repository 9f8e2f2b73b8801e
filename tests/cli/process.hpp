// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::test {

/// Larger than any exit code, which distinguishes death by a signal.
inline constexpr int kEndedBySignal = 1000;

struct Outcome {
    int exit_code = -1;  ///< kEndedBySignal + signal when a signal ended it
    std::string out;
    std::string err;
};

struct Start {
    std::string input;                                ///< standard input
    std::filesystem::path folder;                     ///< working folder; empty = the current one
    std::optional<std::chrono::milliseconds> sigint;  ///< delay of SIGINT once it is handled
    std::string after;                                ///< only once standard output contains this
    int sigints = 1;                                  ///< number of interrupts, with this delay between them
    int signal = SIGINT;                              ///< used instead of it
    bool full_output = false;                         ///< standard output is a device that is always full
    bool full_error = false;                          ///< standard error, too
    std::map<std::string, std::string> environment;   ///< additional variables
    std::optional<std::uint64_t> address_space;       ///< maximum bytes of it
    std::optional<std::uint64_t> file_bytes;          ///< maximum bytes of any file written
};

/// Runs the built program without a display and waits for it.
Outcome splitscope(const std::vector<std::string>& arguments, const Start& start = {});

/// The same for another program.
Outcome run_program(const std::string& program, const std::vector<std::string>& arguments = {},
                    const Start& start = {});

/// A folder that is removed on destruction.
class TemporaryFolder {
 public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Writes a file and returns its path.
    std::string file(const std::string& name, std::string_view content) const;

 private:
    std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
/// The sample model of the source tree.
std::string sample_model();
std::size_t line_count(std::string_view text);

}  // namespace splitscope::test
