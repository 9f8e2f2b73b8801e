// SPDX-License-Identifier: MIT
#include "engine/execution/execution_profile.hpp"

#include <gtest/gtest.h>

#include "engine/tensor/op_facts.hpp"
#include "tests/generator/graph_builder.hpp"

namespace splitscope {
namespace {

using namespace std::chrono_literals;

/// weight (view) · x, scaled, copied.
class ExecutionProfile : public ::testing::Test {
 protected:
    ExecutionProfile() {
        const TensorId weight = b_.leaf("weight", {64, 32, 1, 1});
        const TensorId x = b_.leaf("x", {64, 5, 1, 1});
        view_ = b_.node("view", Op::view, {weight}, {64, 32, 1, 1});
        b_[view_].view_src = weight;
        product_ = b_.node("product", Op::mul_mat, {view_, x}, {32, 5, 1, 1});
        scaled_ = b_.node("scaled", Op::scale, {product_}, {32, 5, 1, 1});
        moved_ = b_.node("moved", Op::cont, {scaled_}, {32, 5, 1, 1});
        schedule_.graph = b_.finish();
        for (const TensorId node : schedule_.graph->nodes) schedule_.nodes.push_back({node, BackendId(0)});
    }

    void compute(std::size_t first, std::size_t last, std::chrono::nanoseconds time) {
        ExecutionEvent event;
        event.kind = ExecutionEventKind::compute;
        event.backend = BackendId(0);
        event.first_node = first;
        event.last_node = last;
        event.end = time;
        run_.events.push_back(event);
    }
    ProfileLine line(const std::string& step) const {
        for (const ProfileLine& line : profile_of(schedule_, run_))
            if (line.step == step) return line;
        ADD_FAILURE() << "no " << step;
        return {};
    }

    test::GraphBuilder b_;
    TensorId view_, product_, scaled_, moved_;
    Schedule schedule_;
    Execution run_;
    static constexpr double kResult = 32.0 * 5 * 4;
    static constexpr double kOperands = 64.0 * 32 * 4 + 64.0 * 5 * 4;
    static constexpr double kFlops = 2.0 * 64 * 32 * 5;
};

TEST_F(ExecutionProfile, CountsBytesAndFlopsOfEachNode) {
    for (std::size_t node = 0; node < 4; ++node) compute(node, node, 100ns);
    compute(1, 1, 300ns);
    const ProfileLine products = line("MUL_MAT");
    EXPECT_EQ(products.count, 2U);
    EXPECT_EQ(products.work.bytes, 2 * (kOperands + kResult));
    EXPECT_EQ(products.work.flops, 2 * kFlops);
    EXPECT_EQ(products.slowest_work.bytes, kOperands + kResult);
    EXPECT_EQ(products.slowest_work.flops, kFlops);
    EXPECT_EQ(line("SCALE").work.flops, 32.0 * 5);
    EXPECT_EQ(line("CONT").work.bytes, 2 * kResult);
    EXPECT_EQ(line("CONT").work.flops, 0.0);
}

TEST_F(ExecutionProfile, LeavesOutBytesOfNodesComputedTogether) {
    compute(0, 2, 100ns);
    compute(1, 1, 100ns);
    const ProfileLine together = line("MUL_MAT");
    EXPECT_EQ(together.work.flops, 2 * kFlops + 32.0 * 5);
    EXPECT_EQ(together.work.bytes, std::nullopt) << "the products may never have left the kernel";
    run_.events.clear();
    compute(0, 1, 100ns);
    EXPECT_EQ(line("MUL_MAT").work.bytes, kOperands + kResult) << "a view computes nothing";
}

TEST_F(ExecutionProfile, CountsCopiedBytes) {
    ExecutionEvent copy;
    copy.kind = ExecutionEventKind::copy;
    copy.backend = BackendId(0);
    copy.tensor = product_;
    copy.bytes = 640;
    copy.end = 320ns;
    run_.events = {copy, copy};
    const ProfileLine copies = line("copies");
    EXPECT_EQ(copies.work.bytes, 1280.0);
    EXPECT_EQ(copies.work.flops, std::nullopt);
    EXPECT_DOUBLE_EQ(rate_of(copies.work.bytes, copies.time).value(), 2e9);
    EXPECT_EQ(rate_of(copies.work.flops, copies.time), std::nullopt);
    EXPECT_EQ(rate_of(0.0, copies.time), std::nullopt);
    EXPECT_EQ(rate_of(1.0, 0ns), std::nullopt);
}

TEST_F(ExecutionProfile, SumsFusedKernels) {
    DeviceWork work;
    work.fused = {{{product_, scaled_}, 1000}, {{product_, scaled_}, 1000}, {{scaled_, moved_}, 10}};
    run_.work = {work};
    const std::vector<FusedLine> fused = fused_of(schedule_, run_);
    ASSERT_EQ(fused.size(), 2U);
    EXPECT_EQ(fused[0].steps, "MUL_MAT + SCALE");
    EXPECT_EQ(fused[0].touched_bytes, 2000U);
    EXPECT_EQ(fused[0].flops, 2 * (kFlops + 32.0 * 5));
    EXPECT_EQ(fused[1].flops, 32.0 * 5);
}

}  // namespace
}  // namespace splitscope
