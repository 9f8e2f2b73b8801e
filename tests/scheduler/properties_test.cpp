// SPDX-License-Identifier: MIT
// Properties of any graph and machine. The seed of a failing case is printed; SPLITSCOPE_SEED selects one.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/memory/usage_timeline.hpp"
#include "engine/scheduler/link_copies.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/generator/random_case.hpp"

namespace splitscope {
namespace {

struct Made {
    test::RandomCase input;
    std::unique_ptr<SimulatedMachine> simulated;
    std::shared_ptr<const Schedule> schedule;
    std::shared_ptr<const AllocationPlan> plan;
};

Made make(std::uint64_t seed, Generation generation) {
    Made made;
    made.input = test::random_case({.seed = seed, .nodes = 20 + seed % 120});
    made.simulated = std::make_unique<SimulatedMachine>(made.input.machine, made.input.graph.get());
    made.schedule = std::make_shared<const Schedule>(
        make_schedule(made.input.graph, made.simulated->live(), {.generation = generation}));
    made.plan = plan_allocation(*made.schedule, made.simulated->live());
    return made;
}

/// Calls check(made) for many random cases of each generation that could be scheduled.
template <class Check>
void for_random_cases(Check&& check) {
    const char* one = std::getenv("SPLITSCOPE_SEED");
    const std::uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
    const std::uint64_t last = one != nullptr ? first : 150;
    std::size_t checked = 0;
    for (std::uint64_t seed = first; seed <= last; ++seed) {
        for (const Generation generation : kGenerations) {
            SCOPED_TRACE("SPLITSCOPE_SEED=" + std::to_string(seed) + " generation " +
                         std::string(name_of(generation)));
            const Made made = make(seed, generation);
            if (made.schedule->error || made.plan->error) continue;
            ++checked;
            check(made);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    if (one == nullptr) {
        EXPECT_GT(checked, 300u) << "the generator makes too many graphs that cannot be scheduled";
    }
}

TEST(SchedulerProperties, SplitsPartitionTheNodes) {
    for_random_cases([](const Made& made) {
        const auto& splits = made.schedule->splits;
        ASSERT_FALSE(splits.empty());
        EXPECT_EQ(splits.front().start, 0u);
        for (std::size_t i = 1; i < splits.size(); ++i) EXPECT_EQ(splits[i].start, splits[i - 1].end);
        EXPECT_EQ(splits.back().end, made.input.graph->nodes.size());
        for (std::size_t n = 0; n < made.input.graph->nodes.size(); ++n) {
            const SplitId split = made.schedule->split_of_position(n);
            ASSERT_TRUE(split.valid());
            EXPECT_LE(splits[split.index()].start, n);
            EXPECT_LT(n, splits[split.index()].end);
        }
    });
}

TEST(SchedulerProperties, LinksAddUpToTheInputsOfSplits) {
    for_random_cases([](const Made& made) {
        const Schedule& schedule = *made.schedule;
        std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::size_t, std::uint64_t>> expected;
        std::uint64_t all = 0;
        for (const Split& split : schedule.splits) {
            for (const TensorId input : split.inputs) {
                auto& [copies, bytes] =
                    expected[{schedule.backend[input.index()].value, split.backend.value}];
                ++copies;
                bytes += byte_size(schedule.tensor(input));
                all += byte_size(schedule.tensor(input));
            }
        }
        const std::vector<LinkCopies> links = copies_by_link(schedule);
        ASSERT_EQ(links.size(), expected.size());
        for (const LinkCopies& link : links)
            EXPECT_EQ(std::pair(link.copies, link.bytes), (expected[{link.from.value, link.to.value}]));
        EXPECT_TRUE(std::ranges::is_sorted(links, std::ranges::greater{}, &LinkCopies::bytes));
        EXPECT_EQ(copied_bytes(schedule), all);
    });
}

TEST(SchedulerProperties, AssignedBackendsSupportTheirNodes) {
    for_random_cases([](const Made& made) {
        if (made.schedule->generation == Generation::g2024_01) return;  // it never asks
        const GraphView view(*made.input.graph);
        for (const TensorId node : made.input.graph->nodes) {
            switch (made.schedule->cause[node.index()].kind) {
                case CauseKind::dst:
                case CauseKind::vsrc1:
                case CauseKind::off:
                case CauseKind::wgt:
                case CauseKind::sup:
                case CauseKind::best:
                case CauseKind::upg: {
                    const BackendId backend = made.schedule->backend[node.index()];
                    ASSERT_TRUE(backend.valid());
                    EXPECT_TRUE(
                        made.simulated->live().backends[backend.index()]->supports_op({view, node, {}}))
                        << (*made.input.graph)[node].name;
                    break;
                }
                default:
                    break;
            }
        }
    });
}

TEST(SchedulerProperties, SourcesAreCopiedOrReadableInPlace) {
    for_random_cases([](const Made& made) {
        const Schedule& schedule = *made.schedule;
        const Machine& machine = *made.input.machine;
        const GraphView view = schedule.view();
        const auto takes = [&](BackendId backend, BufferTypeId type) {
            const auto& types = machine.backends[backend.index()].supports_buffer_types;
            return std::find(types.begin(), types.end(), type) != types.end();
        };
        for (const Split& split : schedule.splits) {
            for (std::size_t n = split.start; n < split.end; ++n) {
                const TensorId node = made.input.graph->nodes[n];
                if (is_view_op((*made.input.graph)[node].op)) continue;
                for (const TensorId source : view.sources(node)) {
                    if (!source.valid()) continue;
                    if (schedule.is_added(source)) {
                        EXPECT_EQ(schedule.added_of(source).backend, split.backend);
                        continue;
                    }
                    const BackendId at = schedule.backend[source.index()];
                    if (at == split.backend) continue;
                    ASSERT_NE(schedule.generation, Generation::g2024_01);
                    const BufferRef buffer = view[view.memory_of(source)].buffer;
                    BufferTypeId type = machine.backends[at.index()].buffer_type;
                    if (buffer.valid()) {
                        const auto& name = made.input.graph->buffers[buffer.index()];
                        for (const MachineBuffer& b : machine.buffers) {
                            if (b.name == name) type = b.buffer_type;
                        }
                    }
                    EXPECT_TRUE(takes(split.backend, type)) << view[source].name;
                }
            }
        }
    });
}

/// Memory in use in one buffer: offset → end.
using LiveMap = std::map<std::uint64_t, std::uint64_t>;

TEST(AllocatorProperties, LiveTensorsNeverOverlapOrLeaveTheirBuffer) {
    for_random_cases([](const Made& made) {
        const AllocationPlan& plan = *made.plan;
        std::map<std::pair<std::size_t, std::int32_t>, LiveMap> buffers;
        std::map<std::int32_t, PlannedPlace> live;
        const auto owner = [&](const PlannedPlace& place) {
            const auto& info = plan.buffers[place.buffer.index()];
            return info.shared_with.valid() ? info.shared_with.index() : place.buffer.index();
        };
        const auto insert = [&](TensorId tensor, const PlannedPlace& place) {
            const std::uint64_t alignment =
                made.simulated->live().buffer_type_of(BackendId(place.buffer.value)).alignment();
            EXPECT_EQ(place.offset % alignment, 0u);
            EXPECT_LE(place.offset + place.size,
                      plan.buffers[place.buffer.index()].chunk_sizes[static_cast<std::size_t>(place.chunk)]);
            live[tensor.value] = place;
            if (place.size == 0) return;
            LiveMap& map = buffers[{owner(place), place.chunk}];
            const auto [at, added] = map.emplace(place.offset, place.offset + place.size);
            ASSERT_TRUE(added) << "two live tensors at one offset";
            if (at != map.begin()) {
                EXPECT_LE(std::prev(at)->second, at->first) << "overlap";
            }
            if (std::next(at) != map.end()) {
                EXPECT_LE(at->second, std::next(at)->first) << "overlap";
            }
        };
        const auto erase = [&](TensorId tensor) {
            const auto found = live.find(tensor.value);
            if (found == live.end()) return;
            buffers[{owner(found->second), found->second.chunk}].erase(found->second.offset);
            live.erase(found);
        };
        for (const AllocationEvent& event : plan.events) {
            switch (event.kind) {
                case AllocationEventKind::allocate:
                    insert(event.tensor, event.place);
                    break;
                case AllocationEventKind::reuse_in_place:
                    erase(event.reused_from);
                    insert(event.tensor, event.place);
                    break;
                case AllocationEventKind::free:
                    buffers[{owner(event.place), event.place.chunk}].erase(event.place.offset);
                    live.erase(event.tensor.value);
                    break;
            }
            if (testing::Test::HasFatalFailure()) return;
        }
    });
}

TEST(AllocatorProperties, UsageNeverExceedsTheBuffer) {
    for_random_cases([](const Made& made) {
        for (const BufferTimeline& timeline : usage_timelines(*made.plan)) {
            EXPECT_LE(timeline.peak_bytes, timeline.size);
            for (const UsageStep& step : timeline.steps) EXPECT_LE(step.bytes, step.highest_end);
        }
    });
}

TEST(AllocatorProperties, InPlaceNeverOverwritesLiveTensors) {
    for_random_cases([](const Made& made) {
        const GraphView view = made.schedule->view();
        std::map<std::int32_t, std::size_t> last_reader;
        for (std::size_t n = 0; n < view.nodes().size(); ++n) {
            for (const TensorId source : view.sources(view.nodes()[n])) {
                if (source.valid()) last_reader[source.value] = n;
            }
        }
        for (const AllocationEvent& event : made.plan->events) {
            if (event.kind != AllocationEventKind::reuse_in_place) continue;
            const Tensor& from = view[event.reused_from];
            EXPECT_FALSE(from.buffer.valid()) << "an external tensor was taken over";
            // In 2024-01 it may be read through a view only.
            EXPECT_LE(last_reader[event.reused_from.value], event.node) << "something reads it later";
            if (made.schedule->generation != Generation::g2024_01) {
                EXPECT_FALSE(from.is_output());
            }
        }
    });
}

TEST(SchedulerProperties, SteppingBackAndForthMatchesReplaying) {
    for_random_cases([](const Made& made) {
        std::mt19937_64 random(7);
        Replay stepped(made.schedule);
        const std::size_t n = made.schedule->decisions.size();
        for (int step = 0; step < 20; ++step) {
            const std::size_t to = random() % (n + 1);
            stepped.seek(to);
            Replay fresh(made.schedule);
            fresh.seek(to);
            ASSERT_EQ(stepped.backend(), fresh.backend());
            ASSERT_EQ(stepped.cause(), fresh.cause());
        }
        stepped.seek(n);
        EXPECT_EQ(stepped.backend(), made.schedule->backend);
        EXPECT_EQ(stepped.cause(), made.schedule->cause);
    });
}

TEST(SchedulerProperties, SameInputGivesTheSamePlan) {
    for_random_cases([](const Made& made) {
        const Schedule again = make_schedule(made.input.graph, made.simulated->live(),
                                             {.generation = made.schedule->generation});
        const auto plan = plan_allocation(again, made.simulated->live());
        EXPECT_EQ(write_schedule_json(again, *plan), write_schedule_json(*made.schedule, *made.plan));
        const Schedule untraced = make_schedule(made.input.graph, made.simulated->live(),
                                                {.generation = made.schedule->generation, .trace = false});
        EXPECT_EQ(untraced.backend, made.schedule->backend);
        EXPECT_EQ(untraced.cause, made.schedule->cause);
        EXPECT_TRUE(untraced.decisions.empty());
    });
}

TEST(FormatProperties, GraphsAndMachinesSurviveARoundTrip) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto input = test::random_case({.seed = seed});
        const std::string graph = write_graph_json(*input.graph);
        EXPECT_EQ(write_graph_json(parse_graph_json(graph)), graph);
        const std::string machine = write_machine_json(*input.machine);
        const Machine read = parse_machine_json(machine);
        EXPECT_EQ(read, *input.machine);
        EXPECT_EQ(write_machine_json(read), machine);
    }
}

}  // namespace
}  // namespace splitscope
