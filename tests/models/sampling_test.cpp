// SPDX-License-Identifier: MIT
#include "engine/models/sampling.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace splitscope {
namespace {

std::vector<std::int32_t> draw(const SamplingOptions& options, const std::vector<float>& logits, int count) {
    Sampler sampler(options);
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(sampler.sample(logits));
    return tokens;
}

TEST(Sampling, GreedyTakesTheFirstOfEquals) {
    EXPECT_EQ(draw({}, {1.0F, 3.0F, 3.0F, 2.0F}, 3), (std::vector<std::int32_t>{1, 1, 1}));
    EXPECT_EQ(draw({}, {0.0F, 0.0F}, 1), (std::vector<std::int32_t>{0}));
    const float low = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(draw({}, {low, low, -5.0F}, 1), (std::vector<std::int32_t>{2}));
}

TEST(Sampling, IsDeterminedByTheSeed) {
    const std::vector<float> logits(50, 1.0F);
    SamplingOptions options;
    options.temperature = 1.0F;
    options.seed = 7;
    const auto first = draw(options, logits, 100);
    EXPECT_EQ(draw(options, logits, 100), first);
    options.seed = 8;
    EXPECT_NE(draw(options, logits, 100), first);
}

TEST(Sampling, TopKKeepsTheBestTokens) {
    SamplingOptions options;
    options.temperature = 1.0F;
    options.top_k = 2;
    options.top_p = 1.0F;
    for (const std::int32_t token : draw(options, {1.0F, 5.0F, 1.1F, 5.0F, 5.0F}, 200)) {
        EXPECT_TRUE(token == 1 || token == 3) << token;  // of equals the lowest ids
    }
}

TEST(Sampling, TopPKeepsTheShortestPrefix) {
    SamplingOptions options;
    options.temperature = 1.0F;
    options.top_k = 0;
    options.top_p = 0.6F;
    const std::vector<float> logits = {std::log(0.1F), std::log(0.5F), std::log(0.4F)};
    bool second = false;
    for (const std::int32_t token : draw(options, logits, 300)) {
        EXPECT_NE(token, 0);
        second = second || token == 2;
    }
    EXPECT_TRUE(second);
    options.top_p = 0.0F;
    EXPECT_EQ(draw(options, logits, 2), (std::vector<std::int32_t>{1, 1}));
}

TEST(Sampling, FrequenciesFollowProbabilities) {
    SamplingOptions options;
    options.temperature = 1.0F;
    options.top_k = 0;
    options.top_p = 1.0F;
    int hits = 0;
    for (const std::int32_t token : draw(options, {std::log(0.25F), std::log(0.75F)}, 4000)) hits += token;
    EXPECT_NEAR(hits, 3000, 150);
}

}  // namespace
}  // namespace splitscope
