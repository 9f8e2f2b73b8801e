// SPDX-License-Identifier: MIT
#include "engine/session/model_placement.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

Machine with_accelerators(int count) {
    Machine machine = default_machine();
    const MachineBackend gpu = machine.backends.front();
    for (int i = 1; i < count; ++i) machine.backends.insert(machine.backends.begin(), gpu);
    return machine;
}

std::vector<int> backends(const LayerPlacement& placement, int layers) {
    std::vector<int> out;
    for (int layer = -1; layer <= layers; ++layer) out.push_back(placement.backend_of(layer).value);
    return out;
}

// Input layer first, then the blocks, then the output layer; placement.md §2, "Examples".
TEST(LayerPlacement, OneLayerIsTheOutputLayer) {
    EXPECT_EQ(backends(LayerPlacement(with_accelerators(1), 4, 1), 4), (std::vector{1, 1, 1, 1, 1, 0}));
}

TEST(LayerPlacement, TwoDevicesShareEvenly) {
    EXPECT_EQ(backends(LayerPlacement(with_accelerators(2), 4, 5), 4), (std::vector{2, 0, 0, 0, 1, 1}));
}

TEST(LayerPlacement, HalfByDefault) {
    const LayerPlacement placement(with_accelerators(1), 4, -1);
    EXPECT_EQ(placement.accelerated(), 3);
    EXPECT_EQ(backends(placement, 4), (std::vector{1, 1, 1, 0, 0, 0}));
}

TEST(LayerPlacement, MoreThanThereAreMeansAll) {
    EXPECT_EQ(backends(LayerPlacement(with_accelerators(1), 2, 99), 2), (std::vector{1, 0, 0, 0}));
}

TEST(LayerPlacement, NoAcceleratorMeansCpu) {
    EXPECT_EQ(backends(LayerPlacement(testing::cpu_only(), 2, 99), 2), (std::vector{0, 0, 0, 0}));
}

TEST(ContextCells, AreRoundedUpAndLimited) {
    Session session = testing::sample_session();
    EXPECT_EQ(context_cells(session), 256U);
    session.model_options.context = 257;
    EXPECT_EQ(context_cells(session), 512U);
}

TEST(PlacedModel, NamesItsBuffersInTheMachine) {
    const Session session = testing::sample_session();
    const PlacedModel placed = place_model(session, graph_options(session));
    std::vector<std::string> names;
    for (const auto& buffer : placed.machine.buffers) names.push_back(buffer.name);
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"CPU cache", "CPU weights", "GPU0 cache", "GPU0 weights"}));
}

}  // namespace
}  // namespace splitscope
