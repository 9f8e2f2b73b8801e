// SPDX-License-Identifier: MIT
// Every recorded decision of the real schedulers and allocators: golden/sched and golden/captures.
#include <algorithm>
#include <map>
#include <vector>

#include "tests/golden/golden_folder.hpp"
#include "tests/golden/schedule_case.hpp"

namespace splitscope::golden {
namespace {

void compare_all(const std::string& kind) {
    const std::filesystem::path root = folder() / kind;
    if (missing(root)) GTEST_SKIP() << root.string() << " is missing";
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    std::map<Generation, Tally> tallies;
    for (const Generation generation : kGenerations) {
        tallies.try_emplace(generation, kind + " " + std::string(name_of(generation)));
    }
    for (const auto& case_folder : folders) {
        const ScheduleCase schedule_case(case_folder);
        for (const Generation generation : kGenerations) {
            if (!schedule_case.has(generation)) continue;
            const std::string difference = schedule_case.difference(generation);
            tallies.at(generation).add(difference.empty());
            EXPECT_EQ(difference, "") << case_folder.filename().string() << ' ' << name_of(generation) << " ("
                                      << schedule_case.graph->name << ')';
        }
    }
}

TEST(Golden, SyntheticSchedules) {
    compare_all("sched");
}
TEST(Golden, CapturedSchedules) {
    compare_all("captures");
}

}  // namespace
}  // namespace splitscope::golden
