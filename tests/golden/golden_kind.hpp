// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace splitscope::golden {

/// The golden folder: the environment variable SPLITSCOPE_GOLDEN, else the one known at build time.
inline std::filesystem::path root() {
    if (const char* chosen = std::getenv("SPLITSCOPE_GOLDEN"); chosen != nullptr && *chosen != '\0')
        return chosen;
    return SPLITSCOPE_GOLDEN_DIR;
}

/// The folder of a kind of recording, or none if absent.
inline std::optional<std::filesystem::path> folder(const std::string& kind) {
    const auto path = root() / kind;
    return std::filesystem::is_directory(path) ? std::optional(path) : std::nullopt;
}

/// The message for an absent kind.
inline std::string absent(const std::string& kind) {
    return fmt::format("*** NOT CHECKED: {} has no folder '{}'; set SPLITSCOPE_GOLDEN ***", root().string(),
                       kind);
}

struct Score {
    std::size_t matched = 0;
    std::size_t total = 0;
    void add(bool match) {
        matched += match ? 1 : 0;
        ++total;
    }
};

/// The summary line: "ops 1560/1560". Fails if there was nothing to compare.
inline void report(const std::string& kind, const Score& score) {
    EXPECT_GT(score.total, 0U) << kind << ": the folder has no cases";
    fmt::print("{} {}/{}\n", kind, score.matched, score.total);
}

}  // namespace splitscope::golden
