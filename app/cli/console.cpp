// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "app/cli/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
#include "engine/support/error.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::cli {
namespace {

[[noreturn]] void cannot_write() {
    if (errno == EPIPE) throw ReaderGone();
    throw Error(ErrorKind::io, msg::kCannotWrite(system_error(errno)), msg::kStandardOutput,
                msg::kWriteWhereThereIsSpace);
}

/// Errors on standard error are ignored, because they cannot be reported.
void write_to_stderr(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::string printable_lines(std::string_view text) {
    std::string out;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        const std::string_view line = text.substr(0, end);
        const bool returns = line.ends_with('\r');
        out += printable(line.substr(0, line.size() - (returns ? 1 : 0)));
        out += returns ? "\r\n" : "\n";
        text.remove_prefix(end + 1);
    }
    return out + printable(text);
}

/// Bytes before a character, or an end of line, that more text may complete.
std::size_t finished_bytes(std::string_view text) {
    if (text.ends_with('\r')) return text.size() - 1;
    constexpr std::size_t kMaxSequence = 4;
    for (std::size_t length = 1; length < kMaxSequence && length <= text.size(); ++length) {
        const auto byte = static_cast<unsigned char>(text[text.size() - length]);
        if ((byte & 0xC0U) == 0x80U) continue;
        const std::size_t announced = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
        return announced > length ? text.size() - length : text.size();
    }
    return text.size();
}

}  // namespace

ReaderGone::ReaderGone()
    : Error(ErrorKind::io, msg::kCannotWrite(system_error(EPIPE)), msg::kStandardOutput) {}

void Console::print(std::string_view text) {
    write(printable_lines(text));
}

void Console::write(std::string_view bytes) {
    clear_progress();
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) cannot_write();
}

void Console::stream(std::string_view text) {
    if (::isatty(STDOUT_FILENO) == 0) {
        write(text);
    } else {
        unfinished_ += text;
        const std::size_t end = finished_bytes(unfinished_);
        print(std::string_view(unfinished_).substr(0, end));
        unfinished_.erase(0, end);
    }
    flush();
}

void Console::flush() {
    if (std::fflush(stdout) != 0) cannot_write();
}

void Console::note(std::string_view text) {
    clear_progress();
    if (!quiet_) write_to_stderr(printable_lines(text) + "\n");
}

void Console::error(std::string_view text) {
    clear_progress();
    write_to_stderr(fmt::format("splitscope: {}\n", printable(text)));
}

bool Console::ask(std::string_view question) {
    if (quiet_ || ::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) return false;
    clear_progress();
    write_to_stderr(fmt::format("{} [y/N] ", printable(question)));
    constexpr int kPollIntervalMs = 100;
    pollfd typed{STDIN_FILENO, POLLIN, 0};
    while (::poll(&typed, 1, kPollIntervalMs) == 0)
        if (stop_.stop_requested()) throw Cancelled();
    std::array<char, 64> line{};
    const ssize_t length = ::read(STDIN_FILENO, line.data(), line.size());
    const std::string_view answer(line.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    return answer.starts_with('y') || answer.starts_with('Y');
}

JobContext Console::job() {
    if (quiet_ || ::isatty(STDERR_FILENO) == 0) return JobContext(stop_).with(memory_bound_);
    const JobContext telling(stop_, [this](double fraction, const Message& doing) {
        if (fraction >= 1.0) return clear_progress();
        const std::string share =
            fraction < 0 ? std::string("  … ") : fmt::format("{:3.0f} %", 100.0 * fraction);
        const std::scoped_lock lock(progress_);
        write_to_stderr(fmt::format("\r\033[K{}  {}", share, printable(english(doing))));
        progress_shown_ = true;
    });
    return telling.with(memory_bound_);
}

void Console::clear_progress() {
    const std::scoped_lock lock(progress_);
    if (!progress_shown_) return;
    progress_shown_ = false;
    write_to_stderr("\r\033[K");
}

}  // namespace splitscope::cli
