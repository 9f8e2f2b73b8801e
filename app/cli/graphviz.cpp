// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/graphviz.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/support/error.hpp"

extern char** environ;

namespace splitscope::cli {
namespace {

constexpr auto kPause = std::chrono::milliseconds(15);
/// What the shell and libc answer for a program that is not there.
constexpr int kNotFound = 127;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file without a name that vanishes when it is closed.
File scratch_file() {
    File file(std::tmpfile(), &std::fclose);
    if (!file) {
        throw Error(ErrorKind::io, fmt::format("cannot make a temporary file: {}", std::strerror(errno)),
                    "Graphviz", "free some space in the folder for temporary files");
    }
    return file;
}

/// Ends a child that still runs, whatever happens.
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

    /// Its status once it has ended.
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
    throw Error(ErrorKind::io, "Graphviz (dot) was not found", "--format",
                "install graphviz, or write the graph with --format dot");
}

pid_t start(const std::string& format, std::FILE* in, std::FILE* out, std::FILE* errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ::fileno(errors), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // This program blocks and ignores signals that dot should obey.
    sigset_t none;
    sigemptyset(&none);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string program = "dot";
    std::string argument = "-T" + format;
    std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
    pid_t id = 0;
    const int failed = ::posix_spawnp(&id, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) not_installed();
    return id;
}

std::string content_of(std::FILE* file) {
    std::string content;
    std::array<char, 65536> buffer;
    std::rewind(file);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
        content.append(buffer.data(), count);
    return content;
}

}  // namespace

std::string draw_with_graphviz(const std::string& dot, const std::string& format, std::chrono::seconds budget,
                               const JobContext& job) {
    const File in = scratch_file();
    const File out = scratch_file();
    const File errors = scratch_file();
    if (std::fwrite(dot.data(), 1, dot.size(), in.get()) != dot.size() || std::fflush(in.get()) != 0) {
        throw Error(ErrorKind::io, "cannot hand the graph to Graphviz", "temporary file",
                    "free some space in the folder for temporary files");
    }
    std::rewind(in.get());
    job.report(-1, "drawing with Graphviz");
    Child child(start(format, in.get(), out.get(), errors.get()));
    const auto begin = std::chrono::steady_clock::now();
    int status = 0;
    while (!child.ended(status)) {
        job.check();
        if (std::chrono::steady_clock::now() - begin > budget) {
            throw Error(ErrorKind::limit, fmt::format("Graphviz has drawn for {} s", budget.count()),
                        "--format",
                        "write the graph with --format dot, or give more time with --draw-seconds");
        }
        std::this_thread::sleep_for(kPause);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) not_installed();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        std::string what = content_of(errors.get());
        what = what.substr(0, what.find('\n'));
        throw Error(ErrorKind::io,
                    "Graphviz failed: " + (what.empty() ? std::string("no reason given") : what), "--format",
                    "write the graph with --format dot and draw it elsewhere");
    }
    return content_of(out.get());
}

}  // namespace splitscope::cli
