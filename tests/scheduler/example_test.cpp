// SPDX-License-Identifier: MIT
// The small example of scheduler.md §14, decision by decision.
#include <gtest/gtest.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/support/generation_cases.hpp"

namespace splitscope {
namespace {

class ScheduleExample : public testing::TestWithParam<Generation> {
 protected:
    ScheduleExample() {
        emb_ = b_.stored("emb", "weights-CPU");
        out_ = b_.stored("out", "weights-CPU");
        g_ = b_.stored("g", "weights-GPU0");
        w_ = b_.stored("w", "weights-GPU0");
        inp_ = b_.input("inp");
        mask_ = b_.input("mask");
        n_.push_back(b_.node("n0", Op::get_rows, {emb_, inp_}));
        n_.push_back(b_.node("n1", Op::rms_norm, {n_[0]}));
        n_.push_back(b_.node("n2", Op::mul, {n_[1], g_}));
        n_.push_back(b_.node("n3", Op::mul_mat, {w_, n_[2]}));
        n_.push_back(b_.node("n4", Op::soft_max, {n_[3], mask_}));
        n_.push_back(b_.node("n5", Op::mul_mat, {out_, n_[4]}));
        const SimulatedMachine simulated(std::make_shared<const Machine>(test::simple_machine(1)));
        schedule_ = make_schedule(b_.finish(), simulated.live(), {.generation = GetParam()});
    }

    std::string placed(TensorId t) const {
        const BackendId backend = schedule_.backend[t.index()];
        return (backend.index() == 0 ? "GPU0 " : "CPU ") + label_of(schedule_.cause[t.index()]);
    }
    std::vector<std::string> names(const std::vector<ScheduledItem>& items) const {
        std::vector<std::string> all;
        for (const ScheduledItem& item : items) all.push_back(schedule_.tensor(item.tensor).name);
        return all;
    }
    bool early() const { return GetParam() == Generation::g2024_01; }

    test::GraphBuilder b_;
    TensorId emb_, out_, g_, w_, inp_, mask_;
    std::vector<TensorId> n_;
    Schedule schedule_;
};

TEST_P(ScheduleExample, AssignsAsSpecified) {
    ASSERT_FALSE(schedule_.error);
    EXPECT_EQ(placed(n_[0]), "CPU 1.wgt0");
    EXPECT_EQ(placed(n_[1]), early() ? "GPU0 2.1" : "GPU0 2.sup");
    EXPECT_EQ(placed(n_[2]), "GPU0 1.wgt1");
    EXPECT_EQ(placed(n_[3]), "GPU0 1.wgt0");
    EXPECT_EQ(placed(n_[4]), early() ? "GPU0 2.2" : "GPU0 2.sup");
    EXPECT_EQ(placed(n_[5]), "CPU 1.wgt0");
    EXPECT_EQ(placed(inp_), early() ? "CPU 3.cur" : "CPU 1.inp");
    EXPECT_EQ(placed(mask_), early() ? "GPU0 3.cur" : "CPU 1.inp");
}

TEST_P(ScheduleExample, SplitsAsSpecified) {
    ASSERT_EQ(schedule_.splits.size(), 3u);
    EXPECT_EQ(schedule_.splits[1].start, 1u);
    EXPECT_EQ(schedule_.splits[1].end, 5u);
    EXPECT_EQ(schedule_.splits[1].inputs, early() ? std::vector{n_[0]} : (std::vector{n_[0], mask_}));
    EXPECT_EQ(schedule_.splits[2].inputs, std::vector{n_[4]});
    EXPECT_EQ(names(schedule_.nodes),
              early()
                  ? (std::vector<std::string>{"n0", "GPU0#n0", "n1", "n2", "n3", "n4", "CPU#n4", "n5"})
                  : (std::vector<std::string>{"n0", "n0 (view)", "GPU0#n0#0", "mask (view)", "GPU0#mask#0",
                                              "n1", "n2", "n3", "n4", "n4 (view)", "CPU#n4#0", "n5"}));
    EXPECT_EQ(schedule_.leafs.size(), early() ? 0u : 6u);
    EXPECT_EQ(schedule_.split_of_position(4), SplitId(std::size_t{1}));
    EXPECT_EQ(schedule_.split_of_position(6), SplitId());
}

TEST_P(ScheduleExample, EvidenceNamesTheCause) {
    for (const Decision& d : schedule_.decisions) {
        if (d.tensor == n_[3] && d.cause.kind == CauseKind::wgt) {
            EXPECT_EQ(d.evidence.via, w_);
            EXPECT_EQ(d.evidence.source_slot, 0);
            EXPECT_EQ(d.evidence.buffer_type, BufferTypeId(std::size_t{0}));
        }
        if (d.tensor == n_[5] && d.cause.kind == CauseKind::wgt) {
            ASSERT_EQ(d.evidence.refusal_count, 1u) << "the GPU was asked first";
            const Refusal& refusal = schedule_.refusals[d.evidence.first_refusal];
            EXPECT_EQ(refusal.backend, BackendId(std::size_t{0}));
            EXPECT_TRUE(refusal.buffer_type_refused);
        }
        if (d.tensor == n_[1] && d.to.valid()) {
            EXPECT_EQ(d.evidence.via, n_[2]);
        }
    }
}

TEST_P(ScheduleExample, ViewShowsRewiredSources) {
    const GraphView view = schedule_.view();
    EXPECT_EQ(view[view.sources(n_[1])[0]].name, early() ? "GPU0#n0" : "GPU0#n0#0");
    EXPECT_EQ(view.sources(n_[2])[0], n_[1]);
    EXPECT_EQ((*schedule_.graph)[n_[1]].src[0], n_[0]) << "the graph itself stays as it was";
    ASSERT_FALSE(schedule_.rewired.empty());
    EXPECT_EQ(schedule_.rewired[0].node, n_[1]);
}

INSTANTIATE_TEST_SUITE_P(Generations, ScheduleExample, testing::ValuesIn(kGenerations), test::name_of_case);

}  // namespace
}  // namespace splitscope
