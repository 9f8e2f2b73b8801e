// SPDX-License-Identifier: MIT
// Every recorded decision of the real schedulers and allocators: golden/sched and golden/captures.
#include <map>

#include <gtest/gtest.h>

#include "engine/memory/usage_timeline.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/schedule_case.hpp"

namespace splitscope::golden {
namespace {

void compare_all(const std::string& kind) {
    const auto root = folder(kind);
    if (!root) GTEST_SKIP() << absent(kind);
    std::map<Generation, Score> scores;
    for (const auto& case_folder : case_folders(*root)) {
        const ScheduleCase schedule_case(case_folder);
        for (const Generation generation : kGenerations) {
            if (!schedule_case.has(generation)) continue;
            const std::string difference = schedule_case.difference(generation);
            scores[generation].add(difference.empty());
            EXPECT_EQ(difference, "") << case_folder.filename().string() << ' ' << name_of(generation) << " ("
                                      << schedule_case.graph->name << ')';
        }
    }
    EXPECT_FALSE(scores.empty()) << "no cases in " << *root;
    for (const auto& [generation, score] : scores)
        report(kind + " " + std::string(name_of(generation)), score);
}

TEST(Golden, SyntheticSchedules) {
    compare_all("sched");
}
TEST(Golden, CapturedSchedules) {
    compare_all("captures");
}

/// Every generation schedules every case here, recorded or not.
TEST(Golden, UsageNeverExceedsTheBuffer) {
    for (const std::string kind : {"sched", "captures"}) {
        const auto root = folder(kind);
        if (!root) GTEST_SKIP() << absent(kind);
        for (const auto& case_folder : case_folders(*root)) {
            const ScheduleCase schedule_case(case_folder);
            for (const Generation generation : kGenerations) {
                const auto plan = schedule_case.plan(generation);
                if (plan->error) continue;
                for (const BufferTimeline& timeline : usage_timelines(*plan)) {
                    EXPECT_LE(timeline.peak_bytes, timeline.size)
                        << case_folder.filename().string() << ' ' << name_of(generation);
                }
            }
        }
    }
}

}  // namespace
}  // namespace splitscope::golden
