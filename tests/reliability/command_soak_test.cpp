// SPDX-License-Identifier: MIT
// Random command lines, the same ones for the same seed: each ends by itself with a documented exit code,
// takes no more memory than the same one did before, and leaves no process and no file behind.
// SPLITSCOPE_SOAK_SECONDS makes it long, SPLITSCOPE_MONKEY_SEED another one.
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
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

Ended run_in(const fs::path& folder, std::vector<std::string> arguments) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::vector<char*> raw;
        for (std::string& argument : arguments) raw.push_back(argument.data());
        raw.push_back(nullptr);
        const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int fd : {0, 1, 2}) ::dup2(nowhere, fd);
        if (::chdir(folder.c_str()) != 0) ::_exit(99);
        ::setpgid(0, 0);
        ::execv(raw.front(), raw.data());
        ::_exit(98);
    }
    Ended ended;
    rusage usage{};
    ::wait4(child, &ended.status, 0, &usage);
    ended.peak_kib = usage.ru_maxrss;
    // Nobody of its group is left.
    EXPECT_NE(::kill(-child, 0), 0);
    return ended;
}

TEST(CommandSoak, RandomCommandLinesLeaveNothingBehind) {
    const fs::path folder = fs::temp_directory_path() / ("splitscope-soak-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "broken.gguf") << "GGUF but not really";
    std::ofstream(folder / "broken.graph.json") << R"({"format":"splitscope-graph","version":1,"tensors":[)";
    const std::string sample = sample_model_path().string();
    const char* seed = std::getenv("SPLITSCOPE_MONKEY_SEED");
    std::mt19937 random(seed != nullptr ? std::strtoul(seed, nullptr, 10) : 1);
    const auto pick = [&random](const auto& choices) {
        return choices[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(random)];
    };
    const std::array<std::string, 8> kCommands = {"inspect", "schedule", "plan",    "lint",
                                                  "report",  "run",      "suggest", "nonsense"};
    const std::array<std::string, 6> kFiles = {
        sample, sample, sample, "broken.gguf", "broken.graph.json", "missing.gguf"};
    const std::array<std::string, 4> kGenerations = {"2024-01", "2024-10", "2025-06", "2026-08"};

    const char* wish = std::getenv("SPLITSCOPE_SOAK_SECONDS");
    const auto begin = std::chrono::steady_clock::now();
    const auto over = [&](int calls) {
        constexpr int kShort = 16;
        if (wish == nullptr) return calls >= kShort;
        return std::chrono::steady_clock::now() - begin >
               std::chrono::seconds(std::strtoll(wish, nullptr, 10));
    };
    std::map<std::string, long> first_peak;
    int calls = 0;
    for (; !over(calls); ++calls) {
        std::vector<std::string> arguments = {SPLITSCOPE_PROGRAM, pick(kCommands), pick(kFiles)};
        if (arguments[1] == "run") {
            for (const char* more : {"--prompt", "One", "--tokens", "2"}) arguments.emplace_back(more);
        } else if (arguments[1] == "report") {
            for (const char* more : {"-o", "r.html"}) arguments.emplace_back(more);
        } else if (random() % 2 == 0) {
            arguments.emplace_back("--generation");
            arguments.push_back(pick(kGenerations));
        }
        std::string line;
        for (const std::string& argument : arguments) line += argument + " ";
        SCOPED_TRACE(line);
        const Ended ended = run_in(folder, arguments);
        ASSERT_TRUE(WIFEXITED(ended.status)) << "signal " << WTERMSIG(ended.status);
        EXPECT_LE(WEXITSTATUS(ended.status), 2);
        fs::remove(folder / "r.html");
        const auto [known, fresh] = first_peak.try_emplace(line, ended.peak_kib);
        constexpr long kRoomKib = 16 * 1024;
        EXPECT_LE(ended.peak_kib, known->second + known->second / 4 + kRoomKib);
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 2)
        << "only our own files";
    std::cout << calls << " calls of " << first_peak.size() << " kinds\n";
    fs::remove_all(folder);
}

}  // namespace
}  // namespace splitscope::testing
