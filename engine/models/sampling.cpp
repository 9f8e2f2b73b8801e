// SPDX-License-Identifier: MIT
#include "engine/models/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace splitscope {
namespace {

std::int32_t greedy(std::span<const float> logits) {
    // max_element returns the first maximum; NaN never compares greater.
    return static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin());
}

struct Candidate {
    std::int32_t token;
    double probability;
};

/// The `keep` most probable tokens, sorted; ties by lower token.
std::vector<Candidate> best_candidates(std::span<const float> logits, std::size_t keep, double temperature) {
    std::vector<std::int32_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    const auto better = [&](std::int32_t a, std::int32_t b) {
        const float la = logits[static_cast<std::size_t>(a)];
        const float lb = logits[static_cast<std::size_t>(b)];
        return la > lb || (la == lb && a < b);
    };
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(keep), better);
    std::vector<Candidate> candidates;
    candidates.reserve(keep);
    const double top = logits[static_cast<std::size_t>(order[0])];
    for (std::size_t i = 0; i < keep; ++i) {
        const double logit = logits[static_cast<std::size_t>(order[i])];
        candidates.push_back({order[i], std::exp((logit - top) / temperature)});
    }
    return candidates;
}

double total(const std::vector<Candidate>& candidates) {
    return std::accumulate(candidates.begin(), candidates.end(), 0.0,
                           [](double sum, const Candidate& c) { return sum + c.probability; });
}

/// The shortest prefix with at least `share` of the probability.
void keep_share(std::vector<Candidate>& candidates, double share) {
    const double wanted = share * total(candidates);
    double sum = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        sum += candidates[i].probability;
        if (sum >= wanted) {
            candidates.resize(i + 1);
            return;
        }
    }
}

}  // namespace

Sampler::Sampler(const SamplingOptions& options) : options_(options), random_(options.seed) {}

std::int32_t Sampler::sample(std::span<const float> logits) {
    if (options_.temperature <= 0.0F) return greedy(logits);
    const bool limited = options_.top_k > 0 && static_cast<std::size_t>(options_.top_k) < logits.size();
    const std::size_t keep = limited ? static_cast<std::size_t>(options_.top_k) : logits.size();
    auto candidates = best_candidates(logits, keep, static_cast<double>(options_.temperature));
    if (options_.top_p < 1.0F) keep_share(candidates, static_cast<double>(std::max(options_.top_p, 0.0F)));

    // 53 random bits are portable, unlike std::uniform_real_distribution.
    const double draw = static_cast<double>(random_() >> 11) * 0x1.0p-53 * total(candidates);
    double sum = 0;
    for (const Candidate& candidate : candidates) {
        sum += candidate.probability;
        if (draw < sum) return candidate.token;
    }
    return candidates.back().token;
}

}  // namespace splitscope
