// SPDX-License-Identifier: MIT
// Damaged files end with an error or a result, never with a crash. SPLITSCOPE_MUTATIONS sets their number.
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/scheduler/hazards.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/support/error.hpp"
#include "tests/generator/random_case.hpp"

namespace splitscope {
namespace {

class Mutator {
 public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    /// Replaces a few numbers, and sometimes bytes.
    std::string damage(std::string text) {
        const std::size_t changes = 1 + random_() % 4;
        for (std::size_t i = 0; i < changes; ++i) {
            if (random_() % 6 == 0) {
                text[random_() % text.size()] = static_cast<char>(random_() % 256);
            } else {
                replace_a_number(text);
            }
        }
        return text;
    }

 private:
    void replace_a_number(std::string& text) {
        static const std::array<std::string, 12> kNumbers = {
            "0", "1", "2", "3", "7", "64", "1024", "-1", "2147483648", "17", "9223372036854775807", "1e300"};
        std::size_t at = random_() % text.size();
        const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
        while (at < text.size() && !is_digit(at)) ++at;
        std::size_t end = at;
        while (end < text.size() && is_digit(end)) ++end;
        if (at < text.size()) text.replace(at, end - at, kNumbers[random_() % kNumbers.size()]);
    }

    std::mt19937_64 random_;
};

TEST(DamagedFiles, NeverCrash) {
    const char* wish = std::getenv("SPLITSCOPE_MUTATIONS");
    const std::uint64_t count = wish != nullptr ? std::strtoull(wish, nullptr, 10) : 1500;
    std::size_t accepted = 0;
    for (std::uint64_t seed = 1; seed <= count; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Mutator mutator(seed);
        const auto input = test::random_case({.seed = seed % 50, .nodes = 12});
        const std::string graph_text = write_graph_json(*input.graph);
        const std::string machine_text = write_machine_json(*input.machine);
        const bool in_graph = seed % 3 != 0;
        try {
            const auto graph = std::make_shared<const Graph>(
                parse_graph_json(in_graph ? mutator.damage(graph_text) : graph_text));
            const auto machine = std::make_shared<const Machine>(
                parse_machine_json(in_graph ? machine_text : mutator.damage(machine_text)));
            validate(*machine, *graph);
            ++accepted;
            for (const Generation generation : kGenerations) {
                const EmptyTensors empty_tensors = allocation_policy(generation).empty_sizes_wrap
                                                       ? EmptyTensors::wrap_around
                                                       : EmptyTensors::have_no_bytes;
                const SimulatedMachine simulated(machine, graph.get(), empty_tensors);
                const Schedule schedule = make_schedule(graph, simulated.live(), {.generation = generation});
                const auto plan = plan_allocation(schedule, simulated.live());
                EXPECT_FALSE(write_schedule_json(schedule, *plan).empty());
                for (const Hazard& hazard : find_hazards(schedule, *plan)) {
                    EXPECT_FALSE(describe(hazard, schedule).empty());
                }
                if (!schedule.error) {
                    EXPECT_FALSE(debug_log(schedule).empty() && !graph->nodes.empty());
                }
            }
        } catch (const Error& error) {
            EXPECT_FALSE(error.problem().empty());
        }
    }
    EXPECT_GT(accepted, count / 20) << "the damage should sometimes go unnoticed";
}

}  // namespace
}  // namespace splitscope
