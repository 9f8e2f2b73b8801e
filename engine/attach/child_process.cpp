// SPDX-License-Identifier: MIT
#include "engine/attach/child_process.hpp"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

class FileActions {
 public:
    FileActions() { ::posix_spawn_file_actions_init(&actions_); }
    ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    posix_spawn_file_actions_t* get() { return &actions_; }

 private:
    posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
    Attributes() {
        ::posix_spawnattr_init(&attributes_);
        // Signals that this process ignores.
        sigset_t reset;
        sigemptyset(&reset);
        sigaddset(&reset, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes_, &reset);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    posix_spawnattr_t* get() { return &attributes_; }

 private:
    posix_spawnattr_t attributes_;
};

}  // namespace

ChildProcess::ChildProcess(const Start& start) {
    FileActions actions;
    if (start.output == ProgramOutput::on_error) {
        ::posix_spawn_file_actions_adddup2(actions.get(), STDERR_FILENO, STDOUT_FILENO);
    } else if (start.output == ProgramOutput::kept) {
        constexpr int kHow = O_WRONLY | O_CREAT | O_APPEND;
        ::posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(actions.get(), STDOUT_FILENO, start.kept_output.c_str(), kHow,
                                           0600);
        ::posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, start.kept_error.c_str(), kHow,
                                           0600);
    }
    if (!start.folder.empty()) {
        ::posix_spawn_file_actions_addchdir_np(actions.get(), start.folder.c_str());
    }
    Attributes attributes;
    std::vector<std::string> arguments = start.arguments;
    std::vector<std::string> environment = start.environment;
    const auto argv = pointers(arguments);
    const auto envp = pointers(environment);
    const int failed =
        ::posix_spawnp(&process_, argv[0], actions.get(), attributes.get(), argv.data(), envp.data());
    if (failed != 0) {
        throw Error(ErrorKind::io, msg::kCannotLaunch(system_error(failed)), arguments[0], msg::kNameProgram);
    }
    descriptor_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
}

std::optional<ProgramEnd> ChildProcess::end() {
    if (end_) return end_;
    int status = 0;
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
        end_ = WIFSIGNALED(status) ? ProgramEnd{0, WTERMSIG(status)} : ProgramEnd{WEXITSTATUS(status), 0};
    } else if (ended < 0 && errno == ECHILD) {
        end_ = ProgramEnd{-1, 0};
    }
    return end_;
}

void ChildProcess::wait() const {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
}

void ChildProcess::signal(int number) const {
    // The process id remains reserved until its status has been read.
    if (!end_) ::kill(process_, number);
}

}  // namespace splitscope
