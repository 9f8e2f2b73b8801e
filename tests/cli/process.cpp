// SPDX-License-Identifier: MIT
#include "tests/cli/process.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace splitscope::test {
namespace {

void limit_resource(decltype(RLIMIT_AS) resource, std::optional<std::uint64_t> most) {
    if (!most) return;
    const rlimit limit{*most, *most};
    if (::setrlimit(resource, &limit) != 0) ::_exit(125);
}

[[noreturn]] void become_program(std::string program, const std::vector<std::string>& arguments,
                                 const Start& start, const std::filesystem::path& io) {
    const auto redirect = [](const std::filesystem::path& path, int flags, int target) {
        const int fd = ::open(path.c_str(), flags, 0600);
        if (fd < 0 || ::dup2(fd, target) < 0) ::_exit(125);
    };
    redirect(io / "in", O_RDONLY, STDIN_FILENO);
    redirect(start.full_output ? std::filesystem::path("/dev/full") : io / "out",
             O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    redirect(start.full_error ? std::filesystem::path("/dev/full") : io / "err", O_WRONLY | O_CREAT | O_TRUNC,
             STDERR_FILENO);
    if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) ::_exit(125);
    // The parent of the tests may ignore interrupts, which child processes inherit; no child may run forever.
    ::signal(SIGINT, SIG_DFL);
    ::alarm(120);
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) ::unsetenv(variable);
    // Remembered settings must not affect tests.
    ::setenv("XDG_CONFIG_HOME", io.c_str(), 1);
    for (const auto& [name, value] : start.environment) ::setenv(name.c_str(), value.c_str(), 1);
    limit_resource(RLIMIT_AS, start.address_space);
    limit_resource(RLIMIT_FSIZE, start.file_bytes);
    std::vector<std::string> words = arguments;
    std::vector<char*> argv = {program.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    ::_exit(126);
}

/// Whether a program catches a signal, or ignores it on behalf of a child process.
bool handles(pid_t child, int signal) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(status, line);) {
        for (const std::string_view name : {"SigIgn:", "SigCgt:"}) {
            if (line.starts_with(name) &&
                (std::stoull(line.substr(name.size()), nullptr, 16) >> (signal - 1) & 1) != 0)
                return true;
        }
    }
    return false;
}

/// On a busy computer it may take long until a program can be interrupted.
void wait_until_handled(pid_t child, int signal) {
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!handles(child, signal) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(5ms);
}

/// Until a program that is still running has printed this.
void wait_for_output(pid_t child, const std::filesystem::path& out, const std::string& text) {
    using namespace std::chrono_literals;
    const auto has_ended = [child] {
        siginfo_t info{};
        return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
               info.si_pid != 0;
    };
    while (read_file(out).find(text) == std::string::npos && !has_ended()) std::this_thread::sleep_for(5ms);
}

}  // namespace

Outcome splitscope(const std::vector<std::string>& arguments, const Start& start) {
    return run_program(SPLITSCOPE_PROGRAM, arguments, start);
}

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments,
                    const Start& start) {
    const TemporaryFolder io;
    io.file("in", start.input);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start a process");
    if (child == 0) become_program(program, arguments, start, io.path());
    if (start.sigint) wait_until_handled(child, start.signal);
    if (!start.after.empty()) wait_for_output(child, io.path() / "out", start.after);
    for (int i = 0; start.sigint && i < start.sigints; ++i) {
        std::this_thread::sleep_for(*start.sigint);
        ::kill(child, start.signal);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : kEndedBySignal + WTERMSIG(status);
    outcome.out = read_file(io.path() / "out");
    outcome.err = read_file(io.path() / "err");
    return outcome;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "splitscope-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string sample_model() {
    return SPLITSCOPE_SOURCE_DIR "/resources/sample-model/splitscope-sample-q8_0.gguf";
}

std::size_t line_count(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace splitscope::test
