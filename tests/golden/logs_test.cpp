// SPDX-License-Identifier: MIT
// The generated debug output against real runs: golden/logs contains the runs of golden/captures.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/schedule_case.hpp"

namespace splitscope::golden {
namespace {

struct LogName {
    std::string model;
    std::string machine;
    bool causes;
    bool nodes;
};

/// The capture of the same run as a log; none for other logs. (The runs of machine "gpu-limited" had all
/// layers on the GPU in the logs and half of them in the captures.)
std::optional<LogName> parse_name(const std::string& file) {
    static const std::regex kPattern(R"(2026-08-(.+?)-(gpu-half|gpu2-pipeline)(-causes)?-debug([12])\.log)");
    std::smatch match;
    if (!std::regex_match(file, match, kPattern)) return std::nullopt;
    return LogName{match[1], match[2], match[3].matched, match[4] == "2"};
}

TEST(Golden, DebugOutputOfRealRuns) {
    const auto logs = folder("logs");
    const auto captures = folder("captures");
    if (!logs || !captures) GTEST_SKIP() << absent(logs ? "captures" : "logs");
    Score score;
    for (const auto& entry : std::filesystem::directory_iterator(*logs)) {
        const auto name = parse_name(entry.path().filename().string());
        if (!name) continue;
        const std::string log = read_text_file(entry.path());
        const ScheduleCase decode(*captures / (name->model + "." + name->machine + ".decode"));
        const SimulatedMachine simulated(decode.machine, decode.graph.get());
        const Schedule schedule = make_schedule(
            decode.graph, simulated.live(),
            {.generation = Generation::g2026_08, .current_copy = decode.machine->parallel ? 1 : 0});
        const std::string ours = debug_log(schedule, {.nodes = name->nodes, .causes = name->causes});
        const bool found = log.find(ours) != std::string::npos;
        score.add(found);
        EXPECT_TRUE(found) << entry.path().filename().string() << " does not contain\n"
                           << ours.substr(0, 3000);
    }
    report("logs", score);
}

}  // namespace
}  // namespace splitscope::golden
