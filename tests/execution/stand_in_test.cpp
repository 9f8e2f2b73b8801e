// SPDX-License-Identifier: MIT
// Runs on two CPU backends with separate memory: every crossing tensor is copied.
#include <gtest/gtest.h>

#include "backends/cpu/cpu_backend.hpp"
#include "backends/interface/tensor_access.hpp"
#include "engine/parity/graph_comparison.hpp"
#include "engine/parity/graph_computer.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/support/generation_cases.hpp"

namespace splitscope {
namespace {

/// The CPU and a stand-in for a GPU: it computes the same, in separate memory.
class TwoProcessors {
 public:
    explicit TwoProcessors(Generation generation) {
        backends_.push_back(gpu_.new_backend());
        backends_.push_back(cpu_.new_backend());
        LiveMachine live;
        live.machine = std::make_shared<const Machine>(test::simple_machine(1));
        live.buffer_types = {&gpu_.buffer_type(), &cpu_.buffer_type()};
        live.backends = {backends_[0].get(), backends_[1].get()};
        SchedulerSettings settings;
        settings.generation = generation;
        scheduler_ = std::make_unique<Scheduler>(std::move(live), settings);
        computer_ = std::make_unique<GraphComputer>(
            *scheduler_, [this](const Graph& graph, TensorId id) { return place_of(graph, id); });
    }

    void prepare(const std::shared_ptr<const Graph>& graph) {
        if (scheduler_->generation() == Generation::g2024_01 && !measured_) scheduler_->init_measure(graph);
        measured_ = true;
        ASSERT_TRUE(computer_->prepare(graph));
    }
    Execution compute() { return computer_->compute(); }
    const BoundGraph& graph() const { return computer_->graph(); }
    Scheduler& scheduler() { return *scheduler_; }

    void set(TensorId id, float first, float step) const {
        std::vector<float> values(static_cast<std::size_t>(element_count(graph()[id])));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + step * static_cast<float>(i % 7);
        tensor_set({graph(), id}, std::as_bytes(std::span(values)));
    }
    std::vector<float> values(TensorId id) const {
        std::vector<float> values(static_cast<std::size_t>(element_count(graph()[id])));
        tensor_get({graph(), id}, std::as_writable_bytes(std::span(values)));
        return values;
    }

 private:
    static CpuDeviceOptions stand_in() {
        CpuDeviceOptions options;
        options.name = "GPU0";
        options.kind = DeviceKind::gpu;
        options.buffer_type.name = "GPU0";
        options.buffer_type.is_host = false;
        return options;
    }
    TensorPlace place_of(const Graph& graph, TensorId id) {
        auto& kept = memory_[graph[id].name];
        const std::string& buffer = graph.buffers[graph[id].buffer.index()];
        if (kept == nullptr) {
            CpuDevice& device = buffer.ends_with("GPU0") ? gpu_ : cpu_;
            kept = device.buffer_type().allocate(byte_size(graph[id]));
            if (buffer.starts_with("weights")) kept->set_usage(BufferUsage::weights);
        }
        return {kept.get(), 0, true};
    }

    CpuDevice gpu_{stand_in()};
    CpuDevice cpu_;
    std::vector<std::unique_ptr<Backend>> backends_;
    std::map<std::string, std::unique_ptr<Buffer>> memory_;
    std::unique_ptr<Scheduler> scheduler_;
    std::unique_ptr<GraphComputer> computer_;
    bool measured_ = false;
};

/// Two layers, the first with its weight in `first`, the second in `second`.
struct TwoLayers {
    TwoLayers(const std::string& first, const std::string& second) {
        test::GraphBuilder b;
        x = b.stored("x", "any-CPU", {32, 4, 1, 1});
        b[x].flags = TensorFlags::input;
        w1 = b.stored("w1", "weights-" + first, {32, 48, 1, 1});
        w2 = b.stored("w2", "weights-" + second, {48, 16, 1, 1});
        const TensorId h = b.node("h", Op::mul_mat, {w1, x}, {48, 4, 1, 1});
        const TensorId s = b.node("s", Op::scale, {h}, {48, 4, 1, 1});
        b[s].set_param_f32(0, 0.25F);
        out = b.node("out", Op::mul_mat, {w2, s}, {16, 4, 1, 1});
        graph = b.finish();
    }
    std::vector<float> run(TwoProcessors& machine) const {
        machine.prepare(graph);
        machine.set(x, -1.0F, 0.5F);
        machine.set(w1, 0.25F, -0.125F);
        machine.set(w2, 1.0F, 0.0625F);
        EXPECT_EQ(machine.compute().status, Status::success);
        return machine.values(out);
    }

    TensorId x, w1, w2, out;
    std::shared_ptr<const Graph> graph;
};

class StandIn : public ::testing::TestWithParam<Generation> {};

TEST_P(StandIn, SplitRunsMatchOneBackend) {
    TwoProcessors alone(GetParam());
    const std::vector<float> expected = TwoLayers("CPU", "CPU").run(alone);
    EXPECT_EQ(alone.scheduler().split_count(), 1u);
    EXPECT_NE(expected.front(), 0);
    for (const auto& [first, second] : {std::pair("GPU0", "CPU"), std::pair("CPU", "GPU0")}) {
        TwoProcessors split(GetParam());
        EXPECT_EQ(TwoLayers(first, second).run(split), expected) << first << ", then " << second;
        EXPECT_GE(split.scheduler().split_count(), 2u);
    }
}

TEST_P(StandIn, AllocatedGraphIsRecomputedWithNewInputs) {
    const TwoLayers layers("GPU0", "CPU");
    TwoProcessors machine(GetParam());
    const std::vector<float> first = layers.run(machine);
    machine.prepare(layers.graph);
    machine.set(layers.x, 0, 0);
    machine.compute();
    EXPECT_EQ(machine.values(layers.out), std::vector<float>(64, 0));
    EXPECT_EQ(layers.run(machine), first);
}

TEST_P(StandIn, EqualBackendsHaveNoDifferences) {
    const TwoLayers layers("CPU", "CPU");
    TwoProcessors machine(GetParam());
    layers.run(machine);
    std::size_t shown = 0;
    const auto same = [&](std::size_t, const BoundTensor& a, const BoundTensor& b) {
        std::vector<std::byte> left(byte_size(a.tensor()));
        std::vector<std::byte> right(left.size());
        tensor_get(a, left);
        tensor_get(b, right);
        EXPECT_EQ(left, right);
        ++shown;
        return true;
    };
    Scheduler& scheduler = machine.scheduler();
    EXPECT_TRUE(
        compare_backends(scheduler.backend(1), scheduler.backend(0), machine.graph(), same, GetParam()));
    EXPECT_EQ(shown, 3u);
}

INSTANTIATE_TEST_SUITE_P(Generations, StandIn, ::testing::ValuesIn(kGenerations), test::name_of_case);

}  // namespace
}  // namespace splitscope
