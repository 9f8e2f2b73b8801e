// SPDX-License-Identifier: MIT
// Copying only the experts that are used: scheduler.md §7.2.
#include <algorithm>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/execution/rig.hpp"

namespace splitscope::testing {
namespace {

constexpr std::int64_t kExperts = 8;

/// Products with the experts of `weights`, in order, with the same ids. Weights and ids are in host memory;
/// the GPU computes the products.
struct Experts {
    explicit Experts(std::size_t products = 1, Shape weight_shape = {32, 16, kExperts, 1}) {
        test::GraphBuilder b;
        ids = b.stored("ids", "any-CPU", {2, 3, 1, 1});
        b[ids].type = ElementType::i32;
        const TensorId x = b.stored("x", "any-CPU", {weight_shape[0], 1, 3, 1});
        for (std::size_t i = 0; i < products; ++i) {
            const std::string number = std::to_string(i);
            weights.push_back(b.stored("w" + number, "weights-CPU", weight_shape));
            b.node("y" + number, Op::mul_mat_id, {weights.back(), x, ids}, {weight_shape[1], 2, 3, 1});
        }
        graph = b.finish();
    }

    Execution run(Rig& rig, const std::vector<std::int32_t>& used) const {
        EXPECT_TRUE(rig.prepare(graph));
        for (const TensorId id : weights) rig.fill(id, 1);
        rig.set(ids, used);
        return rig.compute();
    }

    TensorId ids;
    std::vector<TensorId> weights;
    std::shared_ptr<const Graph> graph;
};

CallLog lines_with(const CallLog& log, const std::string& part) {
    CallLog found;
    std::ranges::copy_if(log, std::back_inserter(found),
                         [&](const std::string& line) { return line.find(part) != std::string::npos; });
    return found;
}

TEST(ExpertCopy, CopiesRunsOfUsedExpertsWithPadding) {
    Rig rig(Generation::g2026_08);
    const Experts experts;
    const Execution execution = experts.run(rig, {1, 2, 2, 5, 1, 1});
    EXPECT_EQ(execution.status, Status::success);
    EXPECT_EQ(lines_with(rig.log, "set GPU0#w0#0"),
              (CallLog{"GPU0 set GPU0#w0#0 +2048 4608", "GPU0 set GPU0#w0#0 +10240 2560"}));
    ASSERT_FALSE(execution.events.empty());
    EXPECT_EQ(execution.events[0].kind, ExecutionEventKind::expert_copy);
    EXPECT_EQ(execution.events[0].bytes, 4608u + 2560u);

    const TensorId copy = rig.schedule().rewired.at(0).copy;
    const std::vector<float> values = rig.values(copy);
    const auto expert = [&](std::size_t index) { return values[index * 512]; };
    EXPECT_EQ(expert(0), 0) << "unused experts keep what was there";
    EXPECT_EQ(expert(1), 1);
    EXPECT_EQ(expert(2), 1);
    EXPECT_EQ(values[3 * 512 + 127], 1) << "512 bytes of padding";
    EXPECT_EQ(values[3 * 512 + 128], 0);
    EXPECT_EQ(expert(5), 1);
    EXPECT_EQ(expert(7), 0);
}

TEST(ExpertCopy, PadsSmallExpertsButNotTheLast) {
    Rig rig(Generation::g2026_08);
    const Experts experts(1, {8, 4, kExperts, 1});
    experts.run(rig, {0, 7, 0, 7, 0, 0});
    EXPECT_EQ(lines_with(rig.log, "set GPU0#w0#0"),
              (CallLog{"GPU0 set GPU0#w0#0 +0 256", "GPU0 set GPU0#w0#0 +896 128"}));
}

TEST(ExpertCopy, ReadsIdsFromTheirOriginal) {
    Rig rig(Generation::g2026_08);
    const Experts experts(3);
    experts.run(rig, {0, 1, 2, 3, 4, 5});
    ASSERT_EQ(rig.schedule().splits.size(), 3u);
    EXPECT_EQ(lines_with(rig.log, " get "), (CallLog{"CPU get ids", "GPU0 get GPU0#ids#0"}))
        << "the third product uses what the second one read";
    EXPECT_EQ(lines_with(rig.log, "set GPU0#w2#0").size(), 1u);
    experts.run(rig, {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(lines_with(rig.log, " get ").size(), 2u) << "it is forgotten between runs";
}

TEST(ExpertCopy, NamesAnIdOutOfRange) {
    for (const std::int32_t wrong : {-1, 8, 2000000000}) {
        Rig rig(Generation::g2026_08);
        const Experts experts;
        try {
            experts.run(rig, {0, 1, wrong, 1, 1, 1});
            FAIL() << "expert " << wrong;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::range);
            EXPECT_NE(std::string(error.what()).find(std::to_string(wrong)), std::string::npos);
            EXPECT_EQ(error.where(), "ids");
        }
    }
}

TEST(ExpertCopy, CopiesAllExpertsInEarlierGenerations) {
    for (const Generation generation : {Generation::g2024_01, Generation::g2024_10, Generation::g2025_06}) {
        Rig rig(generation);
        const Experts experts;
        const Execution execution = experts.run(rig, {1, 1, 1, 1, 1, 1});
        for (const ExecutionEvent& event : execution.events) {
            EXPECT_NE(event.kind, ExecutionEventKind::expert_copy);
        }
    }
}

/// The experts of two layers differ in number although the ids are the same.
TEST(ExpertCopy, RechecksWeightsWithFewerExperts) {
    test::GraphBuilder b;
    const TensorId ids = b.stored("ids", "any-CPU", {2, 3, 1, 1});
    b[ids].type = ElementType::i32;
    const TensorId x = b.stored("x", "any-CPU", {32, 1, 3, 1});
    std::vector<TensorId> weights;
    for (const std::int64_t experts : {4, 4, 8}) {
        weights.push_back(
            b.stored("w" + std::to_string(weights.size()), "weights-CPU", {32, 16, experts, 1}));
        b.node("y", Op::mul_mat_id, {weights.back(), x, ids}, {16, 2, 3, 1});
    }
    Rig rig(Generation::g2026_08);
    ASSERT_TRUE(rig.prepare(b.finish()));
    for (const TensorId id : weights) rig.fill(id, 1);
    rig.set(ids, std::vector<std::int32_t>{3, 3, 3, 3, 3, 3});
    EXPECT_EQ(rig.compute().status, Status::success);
    EXPECT_EQ(lines_with(rig.log, "set GPU0#w2#0"), (CallLog{"GPU0 set GPU0#w2#0 +6144 2560"}));
}

}  // namespace
}  // namespace splitscope::testing
