// SPDX-License-Identifier: MIT
// The program uses no network, starts no shell, and its reports do not identify their author.
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <elf.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/session/resources.hpp"
#include "engine/support/file.hpp"
#include "tests/support/no_network.hpp"

namespace splitscope::testing {
namespace {

namespace fs = std::filesystem;

/// The names of the user, their folder and, if available, their computer.
constexpr const char* kPrivateName = "private-person-1b7f";

int run_without_network(std::vector<std::string> arguments) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> raw;
        for (std::string& argument : arguments) raw.push_back(argument.data());
        raw.push_back(nullptr);
        for (const char* variable : {"HOME", "USER", "LOGNAME", "HOSTNAME"})
            ::setenv(variable, kPrivateName, 1);
        if (::unshare(CLONE_NEWUTS) == 0 && ::sethostname(kPrivateName, std::strlen(kPrivateName)) != 0)
            ::_exit(97);
        if (::freopen("/dev/null", "w", stdout) == nullptr || !forbid_network()) ::_exit(99);
        ::execv(raw.front(), raw.data());
        ::_exit(98);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Privacy, FilterDetectsSockets) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (!forbid_network()) ::_exit(99);
        ::_exit(::socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 2);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(Privacy, NoCommandUsesTheNetwork) {
    const std::string program = SPLITSCOPE_PROGRAM;
    const std::string model = sample_model_path().string();
    const auto folder = fs::temp_directory_path() / ("splitscope-privacy-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const std::string log = SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log";
    const std::string made = (folder / "m.gguf").string();
    const std::string recording = (folder / "r.capture.json").string();
    EXPECT_EQ(run_without_network({program, "inspect", model}), 0);
    EXPECT_EQ(run_without_network({program, "schedule", model}), 0);
    EXPECT_EQ(run_without_network({program, "plan", model}), 0);
    EXPECT_EQ(run_without_network({program, "devices"}), 0);
    EXPECT_EQ(run_without_network({program, "suggest", model}), 0);
    EXPECT_EQ(run_without_network({program, "lint", model}), 0);
    EXPECT_EQ(run_without_network({program, "compare", model, "2024-01", "2026-08"}), 1) << "they differ";
    EXPECT_EQ(run_without_network({program, "completions", "bash"}), 0);
    EXPECT_EQ(run_without_network({program, "manual"}), 0);
    EXPECT_EQ(run_without_network({program, "run", model, "--prompt", "One", "--tokens", "1"}), 0);
    EXPECT_EQ(run_without_network({program, "import", log}), 0);
    EXPECT_EQ(
        run_without_network({program, "make-model", "--layers", "1", "--embedding", "32", "--heads", "2",
                             "--kv-heads", "1", "--feed-forward", "64", "--vocabulary", "260", "-o", made}),
        0);
    EXPECT_EQ(run_without_network(
                  {program, "bench", model, "--prompt-length", "2", "--tokens", "1", "--repeat", "1"}),
              0);
    EXPECT_EQ(run_without_network(
                  {program, "record", "-o", recording, "--", SPLITSCOPE_PROGRAMS "/stand_in_host_plain"}),
              0);
    fs::remove_all(folder);
}

TEST(Privacy, ReportsHaveNoUserNames) {
    const std::string program = SPLITSCOPE_PROGRAM;
    const auto folder = fs::temp_directory_path() / ("splitscope-privacy-" + std::to_string(::getpid()));
    const auto theirs = folder / kPrivateName;
    fs::create_directories(theirs);
    const std::string model = (theirs / "m.gguf").string();
    fs::copy_file(sample_model_path(), model, fs::copy_options::overwrite_existing);
    for (const char* format : {"html", "md", "json", "csv", "trace", "dot"}) {
        const std::string report = (folder / "report").string();
        std::vector<std::string> arguments = {program, "report", model, "--format", format, "-o", report};
        const bool picture = std::string(format) == "dot";
        if (!picture) arguments.insert(arguments.end(), {"--run", "--tokens", "1"});
        if (!picture && std::string(format) != "trace")
            arguments.insert(arguments.end(), {"--compare", "2024-01"});
        ASSERT_EQ(run_without_network(arguments), 0) << format;
        const std::string text = read_text_file(report);
        EXPECT_FALSE(text.empty()) << format;
        EXPECT_EQ(text.find(kPrivateName), std::string::npos) << format;
    }
    const std::string asked = (folder / "asked.html").string();
    ASSERT_EQ(run_without_network({program, "report", model, "--show-path", "-o", asked}), 0);
    EXPECT_NE(read_text_file(asked).find(kPrivateName), std::string::npos) << "it would be found";
    fs::remove_all(folder);
}

template <class T>
T record_at(const std::string& bytes, std::size_t offset) {
    T record{};
    EXPECT_LE(offset + sizeof(T), bytes.size());
    if (offset + sizeof(T) <= bytes.size()) std::memcpy(&record, bytes.data() + offset, sizeof(T));
    return record;
}

/// The imported and exported symbols of a program.
std::set<std::string> dynamic_names(const std::string& program) {
    const auto head = record_at<Elf64_Ehdr>(program, 0);
    const auto section = [&](std::size_t number) {
        return record_at<Elf64_Shdr>(program, head.e_shoff + number * head.e_shentsize);
    };
    std::set<std::string> names;
    for (std::size_t i = 0; i < head.e_shnum; ++i) {
        const Elf64_Shdr symbols = section(i);
        if (symbols.sh_type != SHT_DYNSYM) continue;
        const std::size_t texts = section(symbols.sh_link).sh_offset;
        for (std::size_t at = 0; at < symbols.sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = record_at<Elf64_Sym>(program, symbols.sh_offset + at);
            names.insert(program.c_str() + texts + symbol.st_name);
        }
    }
    return names;
}

TEST(Privacy, ProgramNeitherConnectsNorStartsAShell) {
    const std::set<std::string> names = dynamic_names(read_text_file(SPLITSCOPE_PROGRAM));
    EXPECT_TRUE(names.contains("open")) << "what it does use is found";
    for (const char* function : {"connect", "getaddrinfo", "gethostbyname", "popen", "system", "execvp",
                                 "wordexp", "gethostname", "uname", "getpwuid", "getlogin"})
        EXPECT_FALSE(names.contains(function)) << function;
}

// It connects only to the debugger's socket, which is a file (attach.md §1.2); channel tests check that it
// does nothing without one.
TEST(Privacy, RecorderNeitherResolvesHostsNorStartsPrograms) {
    const std::set<std::string> names = dynamic_names(read_text_file(SPLITSCOPE_RECORDER_LIBRARY));
    EXPECT_TRUE(names.contains("open")) << "what it does use is found";
    for (const char* function : {"getaddrinfo", "inet_pton", "inet_addr", "gethostbyname", "popen", "system",
                                 "fork", "vfork", "execv", "execve", "execvp", "posix_spawn", "posix_spawnp"})
        EXPECT_FALSE(names.contains(function)) << function;
}

}  // namespace
}  // namespace splitscope::testing
