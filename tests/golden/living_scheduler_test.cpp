// SPDX-License-Identifier: MIT
// A scheduler that is reused between graphs must give the recorded results of new ones.
#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/parity/scheduler.hpp"
#include "engine/support/error.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/schedule_case.hpp"

namespace splitscope::golden {
namespace {

Scheduler new_scheduler(const SimulatedMachine& simulated, Generation generation) {
    const Machine& machine = *simulated.live().machine;
    return {simulated.live(),
            {.generation = generation, .parallel = machine.parallel, .op_offload = machine.op_offload}};
}

void assign(Scheduler& scheduler, const Machine& machine) {
    for (const Assignment& a : machine.assignments) scheduler.set_tensor_backend(a.tensor, a.backend);
}

/// Decisions of a new scheduler on the case, or none if it fails.
std::optional<std::string> decide(const ScheduleCase& c, Generation generation) {
    const EmptyTensors empty_tensors = allocation_policy(generation).empty_sizes_wrap
                                           ? EmptyTensors::wrap_around
                                           : EmptyTensors::have_no_bytes;
    const SimulatedMachine simulated(c.machine, c.graph.get(), empty_tensors);
    Scheduler scheduler = new_scheduler(simulated, generation);
    try {
        if (generation == Generation::g2024_01) {
            assign(scheduler, *c.machine);
            scheduler.init_measure(c.graph);
        }
        assign(scheduler, *c.machine);
        if (!scheduler.alloc(c.graph)) return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    return write_schedule_json(*scheduler.schedule(), *scheduler.plan());
}

TEST(Golden, LiveSchedulersAgreeOnTheirFirstGraph) {
    const auto root = folder("sched");
    if (!root) GTEST_SKIP() << absent("sched");
    Score score;
    for (const auto& case_folder : case_folders(*root)) {
        const ScheduleCase c(case_folder);
        for (const Generation generation : kGenerations) {
            const std::string difference = c.difference(generation, decide(c, generation));
            score.add(difference.empty());
            EXPECT_EQ(difference, "") << case_folder.filename().string() << ' ' << name_of(generation);
        }
    }
    report("sched living", score);
}

TEST(Golden, PipelinedDecodeAfterAPromptUsesTheNextCopy) {
    const auto root = folder("captures");
    if (!root) GTEST_SKIP() << absent("captures");
    for (const char* model : {"stories260K", "llama-1b"}) {
        const ScheduleCase prompt(*root / (std::string(model) + ".gpu2-pipeline.prompt"));
        const ScheduleCase decode(*root / (std::string(model) + ".gpu2-pipeline.decode"));
        const SimulatedMachine simulated(decode.machine);
        Scheduler scheduler = new_scheduler(simulated, Generation::g2026_08);
        assign(scheduler, *prompt.machine);
        ASSERT_TRUE(scheduler.alloc(prompt.graph));
        scheduler.reset();
        assign(scheduler, *decode.machine);
        ASSERT_TRUE(scheduler.alloc(decode.graph));
        EXPECT_EQ(scheduler.current_copy(), 1);
        EXPECT_EQ(scheduler.schedule()->view().nodes().size(), scheduler.schedule()->nodes.size());
    }
}

}  // namespace
}  // namespace splitscope::golden
