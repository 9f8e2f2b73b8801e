// SPDX-License-Identifier: MIT
#include "backends/interface/registry.hpp"

#include <array>
#include <map>

#include <gtest/gtest.h>

#include "backends/interface/known_names.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "engine/messages/render.hpp"
#include "engine/parity/first_backend.hpp"
#include "engine/support/error.hpp"
#include "tests/backends/interface/abacus_kind.hpp"
#include "tests/backends/interface/memory_device.hpp"

namespace splitscope {
namespace {

using test::AddingDevice;

TEST(MachineOfDevices, KeepsOrderWithHelpersBeforeTheCpu) {
    BackendRegistry kinds;
    kinds.add(std::make_shared<test::AbacusKind>());
    const std::array<std::string, 5> names{"helper", "gpu1", "GPU0", "cpu", "gpu1"};
    const Machine machine = machine_of_devices(names, kinds);
    ASSERT_EQ(machine.backends.size(), 4U);
    EXPECT_EQ(machine.name, "GPU1 + GPU0 + Helper + CPU");
    EXPECT_EQ(joined_names(machine), machine.name);
    EXPECT_EQ(machine.backends[0].buffer_type, BufferTypeId(std::size_t{0}));
    EXPECT_EQ(machine.backends[2].buffer_type, machine.backends[3].buffer_type);
    EXPECT_TRUE(machine.buffer_types[machine.backends[3].buffer_type.index()].is_host);
    const Machine elsewhere = machine_of_devices(names, kinds, {{"abacus-folder", "/opt/beads"}});
    EXPECT_EQ(elsewhere.backends[0].kind, "abacus:/opt/beads");
    EXPECT_EQ(kinds.kind_of(elsewhere.backends[0]), &kinds.kind(0))
        << "what follows the colon is the kind's own";
    EXPECT_EQ(kinds.kind_of(machine.backends[3]), nullptr);
    const Machine alone = machine_of_devices({}, BackendRegistry());
    EXPECT_EQ(alone.name, "CPU");
    const Machine added = with_device_first(alone, *kinds.describe("gpu0"));
    EXPECT_EQ(added.name, "GPU0 + CPU");
    EXPECT_NE(added.backends[0].buffer_type, added.backends[1].buffer_type);
}

TEST(MachineOfDevices, ListsDevicesForAnUnknownName) {
    BackendRegistry kinds;
    kinds.add(std::make_shared<test::AbacusKind>());
    const std::array<std::string, 1> names{"gpu2"};
    try {
        (void)machine_of_devices(names, kinds);
        FAIL() << "it was found";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unknown);
        EXPECT_EQ(english(error.remedy()), "choose from: GPU0, GPU1");
    }
}

TEST(RecordSupport, AsksTheKindsOfTheMachine) {
    BackendRegistry kinds;
    kinds.add(std::make_shared<test::AbacusKind>());
    const std::array<std::string, 2> names{"gpu0", "gpu1"};
    Machine machine = machine_of_devices(names, kinds);
    Graph graph;
    for (const Op op : {Op::add, Op::mul}) {
        Tensor node;
        node.op = op;
        graph.nodes.emplace_back(graph.tensors.size());
        graph.tensors.push_back(node);
    }
    record_support(machine, kinds, graph, {false, true, false});
    const std::map<std::int64_t, bool> expected{{0, true}, {1, false}};
    EXPECT_EQ(machine.backends[0].supports, expected);
    EXPECT_TRUE(machine.backends[1].supports.empty()) << "it was to be kept";
    EXPECT_TRUE(machine.backends[2].supports.empty()) << "the CPU has no kind";
}

TEST(KnownNames, DescribeGgmlDevices) {
    EXPECT_EQ(kind_named("Vulkan12", DeviceKind::gpu), "vulkan");
    EXPECT_EQ(kind_named("Vulkan", DeviceKind::gpu), "");
    EXPECT_EQ(kind_named("Vulkan0x", DeviceKind::gpu), "");
    EXPECT_EQ(kind_named("Vulkan0", DeviceKind::accel), "");
    EXPECT_EQ(kind_named("BLAS", DeviceKind::accel), "blas");
    EXPECT_EQ(kind_named("CUDA0", DeviceKind::gpu), "");
    EXPECT_TRUE(computes_in_host_memory("zDNN"));
    EXPECT_FALSE(computes_in_host_memory("CUDA0"));
    EXPECT_EQ(row_pad_named("ROCm1"), 512U);
    EXPECT_EQ(row_pad_named("CPU"), 0U);
}

TEST(BackendRegistryTest, ListsKindsAndDevicesInRegistrationOrder) {
    BackendRegistry registry;
    EXPECT_EQ(new_best_backend(registry), nullptr);
    const auto kind = std::make_shared<test::AbacusKind>();
    const auto cpu = std::make_shared<AddingDevice>("CPU");
    registry.add(kind);
    registry.add(cpu);
    registry.add(kind);
    registry.add(cpu);
    EXPECT_EQ(registry.kinds().size(), 1u);
    ASSERT_EQ(registry.device_count(), 3u) << "what is there already is ignored";
    EXPECT_EQ(registry.device(2).name(), "CPU");
    EXPECT_EQ(registry.kind(0).name(), "abacus");
    EXPECT_EQ(registry.options().size(), 2u);
    EXPECT_THROW(registry.device(3), Error);
    EXPECT_THROW(registry.kind(1), Error);
    const std::any answer = registry.kind(0).extra_function("answer");
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(std::any_cast<std::function<int()>>(answer)(), 42);
    EXPECT_FALSE(registry.kind(0).extra_function("question").has_value());

    EXPECT_EQ(registry.find_device("gpu1"), &registry.device(1)) << "upper and lower case alike";
    EXPECT_EQ(registry.find_device("GPU2"), nullptr);
    EXPECT_EQ(registry.find_device(DeviceKind::gpu), &registry.device(0));
    EXPECT_EQ(registry.find_device(DeviceKind::accel), nullptr);
    EXPECT_EQ(registry.find_kind("ABACUS"), kind.get());
    EXPECT_EQ(registry.kind_of(registry.device(1)), kind.get());
    EXPECT_EQ(registry.kind_of(*cpu), nullptr);

    EXPECT_EQ(new_backend(registry, "cpu")->name(), "CPU");
    EXPECT_EQ(new_backend(registry, "none"), nullptr);
    EXPECT_EQ(new_backend(registry, DeviceKind::cpu)->name(), "CPU");
    EXPECT_EQ(new_best_backend(registry)->name(), "GPU0");
}

}  // namespace
}  // namespace splitscope
