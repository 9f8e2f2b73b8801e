// SPDX-License-Identifier: MIT
// Random command lines, determined by the seed: each ends with a documented exit code, takes hardly more
// memory than the same one before, and leaves no process or file behind. SPLITSCOPE_SOAK_SECONDS sets the
// duration, SPLITSCOPE_MONKEY_SEED the seed.
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/session/resources.hpp"

namespace splitscope::testing {
namespace {

namespace fs = std::filesystem;

struct Ended {
    int status = -1;
    long peak_kib = 0;
};

using Words = std::vector<std::string>;

struct Command {
    std::string name;
    bool takes_file = true;
    Words always;
    std::vector<Words> variants;  ///< one of them is added
};

const Words kGenerations = {"2024-01", "2024-10", "2025-06", "2026-08"};

std::vector<Words> with_generations(std::vector<Words> variants) {
    for (const std::string& generation : kGenerations) variants.push_back({"--generation", generation});
    return variants;
}

/// All of them, and a nonexistent one. Each works for a moment only.
std::vector<Command> all_commands() {
    const std::string host = SPLITSCOPE_PROGRAMS "/stand_in_host_plain";
    return {
        {"inspect", true, {}, {{}, {"--json"}, {"--rows", "3"}}},
        {"schedule",
         true,
         {},
         with_generations({{},
                           {"--json"},
                           {"--decisions"},
                           {"--prefill"},
                           {"--gpu-layers", "2"},
                           {"--graph-number", "2"}})},
        {"plan",
         true,
         {},
         with_generations({{}, {"--json"}, {"--gpu-layers", "1"}, {"--device", "rtx-3090"}})},
        {"lint", true, {}, with_generations({{}, {"--json"}, {"--fail-on", "note"}})},
        {"report",
         true,
         {"-o", "r.html"},
         with_generations({{},
                           {"--format", "md"},
                           {"--format", "dot"},
                           {"--compare", "2024-01"},
                           {"--suggest", "--device", "rtx-3090"},
                           {"--run", "--prompt", "One", "--tokens", "2"}})},
        {"run",
         true,
         {"--prompt", "One", "--tokens", "2"},
         with_generations({{}, {"--json"}, {"--profile"}, {"--temperature", "0"}, {"--threads", "2"}})},
        {"suggest", true, {}, {{}, {"--json"}, {"--margin", "50"}, {"--device", "rtx-3090"}}},
        {"compare",
         true,
         {"--threads", "2"},
         {{"2024-10", "2026-08"},
          {"2024-01", "2025-06", "--json"},
          {"2024-10"},
          {"--backends", "cpu,cpu", "--first"},
          {"--backends", "blas,cpu", "--json"}}},
        {"import",
         true,
         {},
         with_generations({{},
                           {"--json"},
                           {"-o", "i.graph.json"},
                           {"--graph-number", "1"},
                           {"--graph-number", "9"},
                           {"--model", sample_model_path().string()}})},
        {"devices", false, {}, {{}, {"--json"}, {"--presets"}, {"--presets", "--json"}}},
        {"make-model",
         false,
         {"--layers", "1", "--embedding", "32", "--heads", "2", "--kv-heads", "1", "--feed-forward", "64",
          "--vocabulary", "260", "-o", "m.gguf"},
         {{}, {"--type", "f16"}, {"--type", "q8_0"}, {"--type", "nonsense"}, {"--seed", "3"}}},
        {"completions", false, {}, {{"bash"}, {"zsh"}, {"fish"}, {"nonsense"}, {}}},
        {"manual", false, {}, {{}, {"--nonsense"}}},
        {"bench",
         true,
         {"--prompt-length", "2", "--tokens", "1", "--repeat", "1", "--threads", "2"},
         {{}, {"--json"}, {"--gpu-layers", "0"}}},
        {"record",
         false,
         {"-o", "s.capture.json"},
         {{"--", host},
          {"--limit", "1", "--", host},
          {"--", "/bin/true"},
          {"--", "/bin/false"},
          {"--", "/no/such/program"},
          {}}},
        {"attach",
         false,
         {},
         {{"--", host},
          {"--profile", "--", host},
          {"--break", "*", "--json", "--", host},
          {"--first-nan", "--", "/bin/true"},
          {"--break", "graph=0", "--", host},
          {}}},
        {"nonsense", true, {}, {{}, {"--json"}}},
    };
}

/// Output files of the commands above.
constexpr std::array kOutputs = {"r.html", "i.graph.json", "i.machine.json", "m.gguf", "s.capture.json"};

std::ptrdiff_t entries_of(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

Ended run_in(const fs::path& folder, const fs::path& temporary, std::vector<std::string> arguments) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> raw;
        for (std::string& argument : arguments) raw.push_back(argument.data());
        raw.push_back(nullptr);
        const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
        if (::chdir(folder.c_str()) != 0) ::_exit(99);
        ::setenv("TMPDIR", temporary.c_str(), 1);
        // A hanging command is ended by a signal.
        constexpr unsigned kPatienceSeconds = 120;
        ::alarm(kPatienceSeconds);
        ::setpgid(0, 0);
        ::execv(raw.front(), raw.data());
        ::_exit(98);
    }
    Ended ended;
    rusage usage{};
    ::wait4(child, &ended.status, 0, &usage);
    ended.peak_kib = usage.ru_maxrss;
    // No process of its group is left.
    EXPECT_NE(::kill(-child, 0), 0);
    return ended;
}

TEST(CommandSoak, RandomCommandLinesLeaveNothingBehind) {
    const fs::path folder = fs::temp_directory_path() / ("splitscope-soak-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "broken.gguf") << "GGUF but not really";
    std::ofstream(folder / "broken.graph.json") << R"({"format":"splitscope-graph","version":1,"tensors":[)";
    const fs::path temporary = folder / "tmp";
    fs::create_directories(temporary);
    const std::ptrdiff_t ours = entries_of(folder);
    const char* seed = std::getenv("SPLITSCOPE_MONKEY_SEED");
    std::mt19937 random(seed != nullptr ? std::strtoul(seed, nullptr, 10) : 1);
    const auto pick = [&random](const auto& choices) {
        return choices[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(random)];
    };
    const std::vector<Command> commands = all_commands();
    const std::string sample = sample_model_path().string();
    const std::string log = SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log";
    const Words files = {sample,        sample, sample, log, log, "broken.gguf", "broken.graph.json",
                         "missing.gguf"};

    const char* wish = std::getenv("SPLITSCOPE_SOAK_SECONDS");
    const auto begin = std::chrono::steady_clock::now();
    const auto over = [&](int calls) {
        if (wish == nullptr) return static_cast<std::size_t>(calls) >= 3 * commands.size();
        return std::chrono::steady_clock::now() - begin >
               std::chrono::seconds(std::strtoll(wish, nullptr, 10));
    };
    std::map<std::string, long> first_peak;
    int calls = 0;
    for (; !over(calls); ++calls) {
        // Each command twice with typical arguments, then random ones.
        const std::size_t call = static_cast<std::size_t>(calls);
        const bool made_for = call < 2 * commands.size();
        const Command command = made_for ? commands[call % commands.size()] : pick(commands);
        Words arguments = {SPLITSCOPE_PROGRAM, command.name};
        if (command.takes_file)
            arguments.push_back(!made_for ? pick(files) : command.name == "import" ? log : sample);
        arguments.insert(arguments.end(), command.always.begin(), command.always.end());
        const Words variant = made_for ? command.variants.front() : pick(command.variants);
        arguments.insert(arguments.end(), variant.begin(), variant.end());
        std::string line;
        for (const std::string& argument : arguments) line += argument + " ";
        SCOPED_TRACE(line);
        const Ended ended = run_in(folder, temporary, arguments);
        ASSERT_TRUE(WIFEXITED(ended.status)) << "signal " << WTERMSIG(ended.status);
        const bool succeeds = made_for && command.name != "nonsense";
        EXPECT_LE(WEXITSTATUS(ended.status), succeeds ? 1 : 2);
        for (const char* output : kOutputs) fs::remove(folder / output);
        EXPECT_EQ(entries_of(folder), ours) << "only our own files";
        EXPECT_EQ(entries_of(temporary), 0);
        const auto [known, inserted] = first_peak.try_emplace(line, ended.peak_kib);
        constexpr long kRoomKib = 16 * 1024;
        EXPECT_LE(ended.peak_kib, known->second + known->second / 4 + kRoomKib);
    }
    std::cout << calls << " calls of " << first_peak.size() << " kinds\n";
    fs::remove_all(folder);
}

}  // namespace
}  // namespace splitscope::testing
