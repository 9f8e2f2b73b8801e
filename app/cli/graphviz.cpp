// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/graphviz.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/folder_list.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::cli {
namespace {

constexpr auto kPause = std::chrono::milliseconds(15);
/// Exit codes of shell and libc for a missing program.
constexpr int kNotFound = 127;
/// Show only the first line of its error output.
constexpr std::size_t kMaxComplaint = 4096;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// An unnamed temporary file.
File scratch_file() {
    File file(std::tmpfile(), &std::fclose);
    if (!file) {
        throw Error(ErrorKind::io, msg::kNoTemporaryFile(system_error(errno)), "Graphviz",
                    msg::kFreeTemporarySpace);
    }
    return file;
}

/// Output of a child, read while it runs, without touching the disk.
class Pipe {
 public:
    Pipe() {
        if (::pipe(ends_.data()) != 0) {
            throw Error(ErrorKind::io, msg::kNoPipe(system_error(errno)), "Graphviz", msg::kClosePrograms);
        }
        for (const int end : ends_) ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
    }
    ~Pipe() {
        close(ends_[0]);
        close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int writing_end() const { return ends_[1]; }
    void close_writing_end() { close(ends_[1]); }
    /// The descriptor to poll; -1 at end of file.
    pollfd question() const { return {ends_[0], POLLIN, 0}; }

    /// Reads available data and passes it to `take`. True if there was any.
    template <class Take>
    bool read(const Take& take) {
        if (ends_[0] < 0) return false;
        std::array<char, 65536> buffer;
        ssize_t count = 0;
        do {
            count = ::read(ends_[0], buffer.data(), buffer.size());
        } while (count < 0 && errno == EINTR);
        if (count > 0) take(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
        if (count == 0 || (count < 0 && errno != EAGAIN)) close(ends_[0]);
        return count > 0;
    }

 private:
    static void close(int& end) {
        if (end >= 0) ::close(end);
        end = -1;
    }

    std::array<int, 2> ends_ = {-1, -1};
};

/// Terminates the child on scope exit.
class Child {
 public:
    explicit Child(pid_t id) : id_(id) {}
    ~Child() {
        if (id_ <= 0) return;
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Exit status, once the child has ended.
    bool ended(int& status) {
        const pid_t seen = ::waitpid(id_, &status, WNOHANG);
        if (seen == 0 || (seen < 0 && errno == EINTR)) return false;
        id_ = 0;
        return true;
    }

 private:
    pid_t id_;
};

[[noreturn]] void not_installed() {
    throw Error(ErrorKind::io, msg::kNoGraphviz, "--format", msg::kInstallGraphviz);
}

/// The first executable with this name in PATH; empty if there is none.
std::string find_program(const std::string& name) {
    for (const std::filesystem::path& folder : folder_list("PATH", "/usr/local/bin:/usr/bin:/bin")) {
        const std::filesystem::path program = folder / name;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
            return program.string();
    }
    return {};
}

pid_t start(const std::string& format, int in, int out, int errors) {
    std::string program = find_program("dot");
    if (program.empty()) not_installed();
    std::string argument = "-T" + format;
    std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
    const pid_t parent = ::getpid();
    const pid_t id = ::fork();
    if (id < 0) {
        throw Error(ErrorKind::limit, msg::kCannotStartProcess(system_error(errno)), "dot",
                    msg::kClosePrograms);
    }
    if (id > 0) return id;
    // dot is terminated with this program, even if this program is killed before the request takes effect.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kNotFound);
    // Reset the signals that this program ignores.
    ::signal(SIGPIPE, SIG_DFL);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(program.c_str(), arguments.data());
    ::_exit(kNotFound);
}

struct Answer {
    int status = 0;
    std::string picture;
    std::string complaint;

    /// Error output, if it ends without a picture.
    Message reason() const {
        if (auto line = complaint.substr(0, complaint.find('\n')); !line.empty())
            return Message::verbatim(std::move(line));
        if (WIFSIGNALED(status)) return msg::kGraphvizEndedBy(WTERMSIG(status));
        return WEXITSTATUS(status) == 0 ? msg::kGraphvizDrewNothing : msg::kGraphvizNoReason;
    }
};

/// Reads the child's output until it ends.
Answer answer_of(Child& child, Pipe& out, Pipe& errors, std::chrono::seconds budget, const JobContext& job) {
    Answer answer;
    const auto take_picture = [&](std::string_view piece) {
        if (static_cast<std::int64_t>(answer.picture.size() + piece.size()) > kMaxGraphvizBytes) {
            throw Error(ErrorKind::limit, msg::kGraphvizWroteMuch(kMaxGraphvizBytes >> 20), "--format",
                        msg::kDrawElsewhere);
        }
        answer.picture += piece;
    };
    const auto take_complaint = [&](std::string_view piece) {
        answer.complaint += piece.substr(0, kMaxComplaint - answer.complaint.size());
    };
    const auto begin = std::chrono::steady_clock::now();
    bool ended = false;
    while (true) {
        job.check();
        if (std::chrono::steady_clock::now() - begin > budget) {
            throw Error(ErrorKind::limit, msg::kGraphvizTookLong(budget.count()), "--format",
                        msg::kGiveMoreTime);
        }
        const bool wrote = out.read(take_picture);
        const bool complained = errors.read(take_complaint);
        if (wrote || complained) continue;
        // All output has been read; do not wait for others that hold the pipe open.
        if (ended) return answer;
        ended = child.ended(answer.status);
        if (ended) continue;
        std::array<pollfd, 2> questions = {out.question(), errors.question()};
        ::poll(questions.data(), questions.size(), static_cast<int>(kPause.count()));
    }
}

}  // namespace

std::string draw_with_graphviz(const std::string& dot, const std::string& format, std::chrono::seconds budget,
                               const JobContext& job) {
    const File in = scratch_file();
    if (std::fwrite(dot.data(), 1, dot.size(), in.get()) != dot.size() || std::fflush(in.get()) != 0) {
        throw Error(ErrorKind::io, msg::kCannotPassGraph, msg::kTemporaryFile, msg::kFreeTemporarySpace);
    }
    std::rewind(in.get());
    Pipe out;
    Pipe errors;
    job.report(-1, msg::kDrawing);
    Child child(start(format, ::fileno(in.get()), out.writing_end(), errors.writing_end()));
    out.close_writing_end();
    errors.close_writing_end();
    Answer answer = answer_of(child, out, errors, budget, job);
    if (WIFEXITED(answer.status) && WEXITSTATUS(answer.status) == kNotFound) not_installed();
    if (!WIFEXITED(answer.status) || WEXITSTATUS(answer.status) != 0 || answer.picture.empty()) {
        throw Error(ErrorKind::io, msg::kGraphvizFailed(answer.reason()), "--format", msg::kDrawElsewhere);
    }
    return std::move(answer.picture);
}

}  // namespace splitscope::cli
