// SPDX-License-Identifier: MIT
#include "engine/session/compare_generations.hpp"

#include <gtest/gtest.h>

#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::sample_session;

TEST(CompareGenerations, ScheduleTheSameGraph) {
    for (const Generation a : kGenerations) {
        for (const Generation b : kGenerations) {
            const ComparedGenerations compared = compare_generations(sample_session(), a, b);
            EXPECT_EQ(compared.a->graph, compared.b->graph);
            EXPECT_EQ(compared.a->schedule->generation, a);
            EXPECT_EQ(compared.b->schedule->generation, b);
            EXPECT_FALSE(compared.a->schedule->error) << name_of(a) << " " << name_of(b);
            EXPECT_FALSE(compared.b->schedule->error) << name_of(a) << " " << name_of(b);
            if (a == b) {
                EXPECT_TRUE(compared.comparison.same());
            }
        }
    }
}

TEST(CompareGenerations, SwappingSidesSwapsResults) {
    const auto forth = compare_generations(sample_session(), Generation::g2024_01, Generation::g2026_08);
    const auto back = compare_generations(sample_session(), Generation::g2026_08, Generation::g2024_01);
    EXPECT_EQ(forth.comparison.tensors.size(), back.comparison.tensors.size());
    EXPECT_EQ(forth.comparison.copied_bytes_a, back.comparison.copied_bytes_b);
    EXPECT_EQ(forth.comparison.copied_bytes_b, back.comparison.copied_bytes_a);
}

}  // namespace
}  // namespace splitscope
