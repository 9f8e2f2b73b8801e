// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "backends/interface/registry.hpp"
#include "engine/support/job.hpp"

namespace splitscope::cli {

/// Standard output and error of a command: results go to the one, notes and progress to the other. Names come
/// from files: what a terminal would obey is replaced in texts for people, their lines stay.
class Console {
 public:
    explicit Console(std::stop_token stop) : stop_(std::move(stop)) {}

    void set_quiet(bool quiet) { quiet_ = quiet; }
    /// Of the files that job() opens.
    void set_memory_bound(MemoryBound bound) { memory_bound_ = bound; }
    /// The program's backends.
    void set_kinds(BackendKinds kinds) { kinds_ = std::move(kinds); }
    const BackendKinds& kinds() const { return kinds_; }

    /// Writes a result for people. Throws Error(io) when standard output is closed or full.
    void print(std::string_view text);
    /// Writes exactly these bytes, for programs and files: JSON, reports, scripts. Throws as print().
    void write(std::string_view bytes);
    /// As write(), and shows it at once.
    void stream(std::string_view text);
    /// A remark for people on standard error; not with --quiet.
    void note(std::string_view text);
    /// One line "splitscope: …" on standard error, always.
    void error(std::string_view text);
    /// Everything printed has really been written. Throws as print().
    void flush();

    /// Work that can be interrupted, with progress on standard error when that is a terminal.
    JobContext job();

 private:
    void clear_progress();

    std::stop_token stop_;
    bool quiet_ = false;
    MemoryBound memory_bound_ = MemoryBound::kept;
    BackendKinds kinds_;
    std::mutex progress_;  ///< drivers tell things from threads of their own
    bool progress_shown_ = false;
};

}  // namespace splitscope::cli
