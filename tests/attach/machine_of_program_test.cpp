// SPDX-License-Identifier: MIT
#include "engine/attach/machine_of_program.hpp"

#include <gtest/gtest.h>

#include "engine/tensor/graph_builder.hpp"

namespace splitscope::test {
namespace {

Tensor node_of(Op op, ElementType type, TensorId source) {
    Tensor t;
    t.op = op;
    t.type = type;
    t.src[0] = source;
    return t;
}

/// Two products with F16 and one with Q8_0 weights, a sum, and a norm.
std::shared_ptr<AttachedGraph> graph_with_answers(std::vector<std::int64_t> refused) {
    auto captured = std::make_shared<CapturedGraph>();
    Graph& graph = captured->graph;
    const auto leaf = [&](ElementType type) {
        Tensor t;
        t.type = type;
        graph.tensors.push_back(t);
        graph.leafs.emplace_back(graph.tensors.size() - 1);
        return graph.leafs.back();
    };
    const TensorId half = leaf(ElementType::f16);
    const TensorId packed = leaf(ElementType::q8_0);
    const auto node = [&](Op op, TensorId source) {
        graph.tensors.push_back(node_of(op, ElementType::f32, source));
        graph.nodes.emplace_back(graph.tensors.size() - 1);
        return graph.nodes.back();
    };
    const TensorId first = node(Op::mul_mat, half);
    node(Op::mul_mat, packed);
    node(Op::mul_mat, half);
    node(Op::add, first);
    node(Op::rms_norm, first);
    Machine& machine = captured->machine;
    machine.buffer_types = {{"Device", 128, std::nullopt, false, 0}, {"CPU", 32, std::nullopt, true, 0}};
    MachineBackend device;
    device.name = "Device0";
    device.device = DeviceKind::gpu;
    device.buffer_type = BufferTypeId(0);
    device.supports_buffer_types = {BufferTypeId(0)};
    for (const std::int64_t n : refused) device.supports[n] = false;
    MachineBackend cpu;
    cpu.name = "CPU";
    cpu.buffer_type = BufferTypeId(1);
    machine.backends = {device, cpu};
    machine.buffers = {{"weights.0", BufferTypeId(0), BufferUsage::weights}};
    machine.assignments = {{first, BackendId(0)}};
    auto attached = std::make_shared<AttachedGraph>();
    attached->captured = captured;
    attached->graph = std::shared_ptr<const Graph>(captured, &captured->graph);
    return attached;
}

TEST(MachineOfProgram, DerivesRulesFromAnswers) {
    const std::shared_ptr<const AttachedGraph> graph = graph_with_answers({1, 4});
    const Machine machine = machine_of_program(std::vector{graph});
    EXPECT_TRUE(machine.buffers.empty());
    EXPECT_TRUE(machine.assignments.empty());
    ASSERT_EQ(machine.backends.size(), 2U);
    const MachineBackend& device = machine.backends.front();
    EXPECT_TRUE(device.supports.empty());
    EXPECT_EQ(device.unsupported_ops, std::vector<std::string>{"RMS_NORM"});
    ASSERT_EQ(device.unsupported.size(), 1U);
    EXPECT_EQ(device.unsupported.front().op, "MUL_MAT");
    EXPECT_EQ(device.unsupported.front().types, std::vector<std::string>{"q8_0"});
    EXPECT_TRUE(machine.backends.back().unsupported_ops.empty());
}

TEST(MachineOfProgram, GivesNoRuleForMixedAnswers) {
    const std::shared_ptr<const AttachedGraph> one = graph_with_answers({0});
    const Machine machine = machine_of_program(std::vector{one});
    EXPECT_TRUE(machine.backends.front().unsupported.empty());
    EXPECT_TRUE(machine.backends.front().unsupported_ops.empty());
    // What one graph refuses, another accepts.
    const std::shared_ptr<const AttachedGraph> refusing = graph_with_answers({4});
    EXPECT_TRUE(machine_of_program(std::vector{refusing, one}).backends.front().unsupported_ops.empty());
    EXPECT_TRUE(machine_of_program({}).backends.empty());
}

}  // namespace
}  // namespace splitscope::test
