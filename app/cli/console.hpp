// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "backends/interface/registry.hpp"
#include "engine/support/error.hpp"
#include "engine/support/job.hpp"

namespace splitscope::cli {

/// No program reads standard output any more.
class ReaderGone : public Error {
 public:
    ReaderGone();
};

/// Standard output (results) and standard error (notes and progress) of a command. Text may contain names
/// from files: control characters are replaced in text for people, line breaks are kept.
class Console {
 public:
    explicit Console(std::stop_token stop) : stop_(std::move(stop)) {}

    void set_quiet(bool quiet) { quiet_ = quiet; }
    /// For files opened through job().
    void set_memory_bound(MemoryBound bound) { memory_bound_ = bound; }
    /// The available backends.
    void set_kinds(BackendKinds kinds) { kinds_ = std::move(kinds); }
    const BackendKinds& kinds() const { return kinds_; }

    /// Writes text for people. Throws Error(io) if standard output is closed or full, and ReaderGone.
    void print(std::string_view text);
    /// Writes exact bytes: JSON, reports, scripts. Throws as print().
    void write(std::string_view bytes);
    /// Writes a piece of generated text and flushes: for people if standard output is a terminal, else its
    /// exact bytes. A character that a piece begins is shown once the next one completes it. Throws as
    /// print().
    void stream(std::string_view text);
    /// Writes a note to standard error; omitted with --quiet.
    void note(std::string_view text);
    /// Writes "splitscope: …" to standard error.
    void error(std::string_view text);
    /// Asks a question at the terminal; false without one.
    bool ask(std::string_view question);
    /// Flushes standard output. Throws as print().
    void flush();

    /// A job that can be interrupted, with progress on standard error if that is a terminal.
    JobContext job();

 private:
    void clear_progress();

    std::stop_token stop_;
    bool quiet_ = false;
    MemoryBound memory_bound_ = MemoryBound::enforced;
    BackendKinds kinds_;
    std::mutex progress_;  ///< drivers report from their own threads
    bool progress_shown_ = false;
    std::string unfinished_;  ///< the end of the streamed text, so far
};

}  // namespace splitscope::cli
