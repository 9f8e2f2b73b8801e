// SPDX-License-Identifier: MIT
#include "backends/ggml/host_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/ggml/messages.hpp"
#include "backends/ggml/protocol.hpp"
#include "engine/support/error.hpp"
#include "engine/support/folder_list.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::ggml {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "splitscope";
/// Above all descriptors that the child gets, so that dup2 does not overwrite one.
constexpr int kAbove = 32;
constexpr std::size_t kMaxOutputBytes = 600;

bool can_run(const fs::path& program) {
    return ::access(program.c_str(), X_OK) == 0;
}

class SpawnFiles {
 public:
    SpawnFiles() { ::posix_spawn_file_actions_init(&actions_); }
    ~SpawnFiles() { ::posix_spawn_file_actions_destroy(&actions_); }
    SpawnFiles(const SpawnFiles&) = delete;
    SpawnFiles& operator=(const SpawnFiles&) = delete;

    void give(int own, int number) { ::posix_spawn_file_actions_adddup2(&actions_, own, number); }
    void open_nothing(int number) {
        ::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_RDONLY, 0);
    }
    posix_spawn_file_actions_t* get() { return &actions_; }

 private:
    posix_spawn_file_actions_t actions_{};
};

/// Resets signals to their defaults, because this process ignores some.
class SpawnSignals {
 public:
    SpawnSignals() {
        ::posix_spawnattr_init(&attributes_);
        sigset_t reset;
        sigemptyset(&reset);
        sigaddset(&reset, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes_, &reset);
        // In its own process group, so that terminal interrupts only reach this program.
        ::posix_spawnattr_setpgroup(&attributes_, 0);
        ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnSignals() { ::posix_spawnattr_destroy(&attributes_); }
    SpawnSignals(const SpawnSignals&) = delete;
    SpawnSignals& operator=(const SpawnSignals&) = delete;
    const posix_spawnattr_t* get() const { return &attributes_; }

 private:
    posix_spawnattr_t attributes_{};
};

/// The environment, without settings that attach a debugger on abort.
std::vector<std::string> host_environment() {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
    variables.emplace_back("GGML_NO_BACKTRACE=1");
    return variables;
}

std::vector<char*> host_pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// The last three non-empty lines, joined.
std::string last_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty() && lines.size() < 3) {
        const std::size_t end = text.find_last_not_of(" \t\r\n");
        if (end == std::string_view::npos) break;
        text = text.substr(0, end + 1);
        const std::size_t begin = text.rfind('\n');
        const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
        lines.push_back(text.substr(first));
        text = text.substr(0, first);
    }
    std::string joined;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        joined.append(joined.empty() ? "" : "; ").append(*line);
    if (joined.size() > kMaxOutputBytes) joined.erase(0, joined.size() - kMaxOutputBytes);
    return joined;
}

}  // namespace

fs::path host_program() {
    std::error_code failed;
    fs::path own = fs::read_symlink("/proc/self/exe", failed);
    if (!failed) {
        if (own.filename() == kProgram) return own;
        if (fs::path beside = own.parent_path() / kProgram; can_run(beside)) return beside;
    }
    for (const fs::path& folder : folder_list("PATH"))
        if (fs::path program = folder / kProgram; !folder.empty() && can_run(program)) return program;
    throw Error(ErrorKind::io, msg::kEngineHostMissing, kProgram, msg::kInstallProgram);
}

HostProcess::HostProcess(const fs::path& program, int socket, int area)
    : printed_(::memfd_create("engine-output", MFD_CLOEXEC)) {
    const auto fail = [&](int code) {
        throw Error(ErrorKind::io, msg::kEngineNotStarted(system_error(code)), program, msg::kInstallProgram);
    };
    if (!printed_.is_open()) fail(errno);
    ::fcntl(printed_.get(), F_SETFL, O_APPEND);
    const Descriptor for_socket(::fcntl(socket, F_DUPFD_CLOEXEC, kAbove));
    const Descriptor for_area(::fcntl(area, F_DUPFD_CLOEXEC, kAbove));
    const Descriptor for_output(::fcntl(printed_.get(), F_DUPFD_CLOEXEC, kAbove));
    if (!for_socket.is_open() || !for_area.is_open() || !for_output.is_open()) fail(errno);
    SpawnFiles files;
    files.open_nothing(STDIN_FILENO);
    files.give(for_output.get(), STDOUT_FILENO);
    files.give(for_output.get(), STDERR_FILENO);
    files.give(for_socket.get(), kHostSocket);
    files.give(for_area.get(), kHostArea);
    const SpawnSignals signals;
    std::vector<std::string> arguments = {program.string(), kHostCommand};
    std::vector<std::string> environment = host_environment();
    const int failed = ::posix_spawn(&process_, program.c_str(), files.get(), signals.get(),
                                     host_pointers(arguments).data(), host_pointers(environment).data());
    if (failed != 0) fail(failed);
}

HostProcess::~HostProcess() {
    end();
}

void HostProcess::clear_output() {
    struct stat facts {};
    if (::fstat(printed_.get(), &facts) != 0 || facts.st_size == 0) return;
    // Older output only lengthens the last output.
    [[maybe_unused]] const int truncated = ::ftruncate(printed_.get(), 0);
}

Message HostProcess::end() {
    const std::scoped_lock lock(mutex_);
    if (!ended_) {
        ::kill(process_, SIGKILL);
        while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
        }
        ended_ = true;
    }
    const std::string output = last_output();
    if (WIFSIGNALED(status_)) {
        const int number = WTERMSIG(status_);
        return output.empty() ? msg::kBySignal(number) : msg::kBySignalSaying(number, output);
    }
    const int code = WEXITSTATUS(status_);
    return output.empty() ? msg::kByExit(code) : msg::kByExitSaying(code, output);
}

std::string HostProcess::last_output() const {
    struct stat facts {};
    if (::fstat(printed_.get(), &facts) != 0) return {};
    constexpr off_t kTail = 4096;
    const off_t from = std::max<off_t>(0, facts.st_size - kTail);
    std::array<char, kTail> bytes{};
    const ssize_t got = ::pread(printed_.get(), bytes.data(), bytes.size(), from);
    return got <= 0 ? std::string() : last_lines({bytes.data(), static_cast<std::size_t>(got)});
}

}  // namespace splitscope::ggml
