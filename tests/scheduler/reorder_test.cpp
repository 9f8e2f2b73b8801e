// SPDX-License-Identifier: MIT
// Backends may reorder their splits before allocation (scheduler.md §5, generation 2026-08).
#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/messages/render.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

class ReversingBackend final : public Backend {
 public:
    ReversingBackend(Device& device, bool loses_nodes) : Backend(device), loses_nodes_(loses_nodes) {}
    Guid guid() const override { return {}; }
    Status compute_async(const BoundGraph&, std::span<const TensorId>) override { return Status::success; }
    void optimize_graph(const GraphView& view, std::vector<TensorId>& nodes,
                        std::vector<KeptTensor>& kept) override {
        EXPECT_EQ(view.nodes().size(), nodes.size()) << "it is shown its split only";
        std::ranges::reverse(nodes);
        kept.push_back({nodes.front(), nodes.back()});
        if (loses_nodes_) nodes.front() = nodes.back();
    }

 private:
    bool loses_nodes_;
};

struct Reordered {
    Reordered(Generation generation, bool loses_nodes) {
        const TensorId g = b.stored("g", "weights-GPU0");
        const TensorId w = b.stored("w", "weights-CPU");
        nodes = {b.node("a", Op::mul, {g, g}), b.node("b", Op::mul, {g, g}), b.node("c", Op::mul, {w, w})};
        const SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine()));
        LiveMachine live = simulated.live();
        ReversingBackend backend(live.backends[0]->device(), loses_nodes);
        live.backends[0] = &backend;
        schedule = make_schedule(b.finish(), live, {.generation = generation});
    }
    std::vector<TensorId> scheduled() const {
        std::vector<TensorId> own;
        for (const ScheduledItem& item : schedule.nodes)
            if (!schedule.is_added(item.tensor)) own.push_back(item.tensor);
        return own;
    }
    test::GraphBuilder b;
    std::vector<TensorId> nodes;
    Schedule schedule;
};

TEST(Reorder, SplitRunsInTheBackendsOrder) {
    const Reordered r(Generation::g2026_08, false);
    const std::vector expected = {r.nodes[1], r.nodes[0], r.nodes[2]};
    EXPECT_EQ(r.scheduled(), expected);
    EXPECT_EQ(r.schedule.graph->nodes, r.nodes);
}

TEST(Reorder, ViewKeepsABackendsData) {
    const Reordered r(Generation::g2026_08, false);
    ASSERT_EQ(r.schedule.nodes.size(), 4U);
    const TensorId view = r.schedule.nodes[2].tensor;
    ASSERT_TRUE(r.schedule.is_added(view)) << "behind the node until which it is kept";
    EXPECT_EQ(r.schedule.added_of(view).kind, AddedTensor::Kind::dependency_view);
    EXPECT_EQ(r.schedule.tensor(view).view_src, r.nodes[1]);
    EXPECT_EQ(r.schedule.nodes[2].backend, r.schedule.backend[r.nodes[1].index()]);
}

TEST(Reorder, EarlierGenerationsDoNotAsk) {
    const Reordered r(Generation::g2025_06, false);
    EXPECT_EQ(r.scheduled(), r.nodes);
    EXPECT_TRUE(r.schedule.added.empty());
}

TEST(Reorder, LosingANodeIsABackendError) {
    const Reordered r(Generation::g2026_08, true);
    ASSERT_TRUE(r.schedule.error);
    EXPECT_EQ(r.schedule.error->kind, ErrorKind::internal);
    EXPECT_NE(english(r.schedule.error->message).find("GPU0"), std::string::npos);
}

}  // namespace
}  // namespace splitscope
