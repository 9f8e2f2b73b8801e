// SPDX-License-Identifier: MIT
// Seeds and found cases of every fuzz target as ordinary tests; with SPLITSCOPE_FUZZ_CORPUS=FOLDER also the
// corpus of libFuzzer.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

std::vector<std::uint8_t> content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return {text.begin(), text.end()};
}

class FuzzReplay : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzReplay, RunsSeedsAndFoundCases) {
    const std::filesystem::path root = SPLITSCOPE_SOURCE_DIR "/tests/fuzz";
    std::vector<std::filesystem::path> folders = {root / "seeds", root / "found"};
    if (const char* corpus = std::getenv("SPLITSCOPE_FUZZ_CORPUS")) folders.emplace_back(corpus);
    std::size_t cases = 0;
    for (std::filesystem::path folder : folders) {
        folder /= GetParam().name;
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            SCOPED_TRACE(entry.path().filename().string());
            ++cases;
            EXPECT_NO_THROW(GetParam().run(content_of(entry.path())));
        }
    }
    EXPECT_GT(cases, 0U) << "no seeds";
}

/// A short run without libFuzzer: the target on its seeds, each slightly damaged.
TEST_P(FuzzReplay, SurvivesDamagedSeeds) {
    const auto folder = std::filesystem::path(SPLITSCOPE_SOURCE_DIR "/tests/fuzz/seeds") / GetParam().name;
    std::vector<std::filesystem::path> seeds;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) seeds.push_back(entry.path());
    std::ranges::sort(seeds);
    std::uint32_t random = 1;
    const auto next = [&random] { return random = random * 1664525U + 1013904223U, random >> 8; };
    constexpr int kRounds = 30;
    for (const auto& seed : seeds) {
        const auto whole = content_of(seed);
        for (int round = 0; round < kRounds && !whole.empty(); ++round) {
            auto bytes = whole;
            for (std::uint32_t changes = 1 + next() % 3; changes > 0; --changes)
                bytes[next() % bytes.size()] = static_cast<std::uint8_t>(next());
            if (next() % 4 == 0) bytes.resize(next() % bytes.size());
            EXPECT_NO_THROW(GetParam().run(bytes)) << seed.filename() << " round " << round;
        }
    }
}

std::string name_of_case(const ::testing::TestParamInfo<Target>& target) {
    return std::string(target.param.name);
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzReplay, ::testing::ValuesIn(kTargets), name_of_case);

}  // namespace
}  // namespace splitscope::fuzz
