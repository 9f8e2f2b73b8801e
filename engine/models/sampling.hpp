// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace splitscope {

/// Token sampling. Temperature 0 = greedy: the largest logit, on ties the lowest index.
struct SamplingOptions {
    float temperature = 0.0F;
    std::int32_t top_k = 40;  ///< 0 = all
    float top_p = 0.95F;      ///< 1 = all
    std::uint64_t seed = 0;
};

/// Samples tokens; deterministic for equal seeds and logits.
class Sampler {
 public:
    explicit Sampler(const SamplingOptions& options);
    std::int32_t sample(std::span<const float> logits);

 private:
    SamplingOptions options_;
    std::mt19937_64 random_;
};

}  // namespace splitscope
