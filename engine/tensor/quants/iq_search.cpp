// SPDX-License-Identifier: MIT
#include "engine/tensor/quants/iq_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tensor/quants/blocks.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::quants {
namespace {

constexpr std::size_t kLanes = 8;
constexpr float kLargestHalf = 65504.0F;

/// Initial candidate scales of a sub-block, relative to the one that just reaches its largest element.
constexpr int kFirstScales = 20;
constexpr float kSmallestRatio = 0.35F;
constexpr float kRatioStep = 1.11F;
/// Candidate super-block scales, relative to the one that just reaches the largest sub-block scale.
constexpr std::array kSuperRatios{0.75F, 0.85F, 0.95F, 1.0F, 1.08F};

}  // namespace

CodebookSearch::CodebookSearch(const Codebook& book, std::size_t sub_block, std::span<const float> scales)
    : book_(book),
      scales_(scales.begin(), scales.end()),
      subs_(kSuperBlock / sub_block),
      vectors_(kSuperBlock / book.dims),
      vectors_per_sub_(sub_block / book.dims),
      products_(vectors_ * book.variants * book.size),
      squares_(products_.size()) {
    for (const float p : book.points) largest_ = std::max(largest_, std::fabs(p));
}

void CodebookSearch::take_sums(std::span<const float> x, std::span<const float> weights) {
    std::ranges::fill(products_, 0.0F);
    std::ranges::fill(squares_, 0.0F);
    for (std::size_t v = 0; v < vectors_; ++v) {
        for (std::size_t u = 0; u < book_.variants; ++u) {
            float* product = products_.data() + (v * book_.variants + u) * book_.size;
            float* square = squares_.data() + (v * book_.variants + u) * book_.size;
            for (std::size_t j = 0; j < book_.dims; ++j) {
                const float value = x[v * book_.dims + j];
                const float w = weights[v * book_.dims + j];
                const float wx = std::isfinite(value) ? -2.0F * w * value : 0.0F;
                const float* p = book_.points.data() + (u * book_.dims + j) * book_.size;
                for (std::size_t k = 0; k < book_.size; ++k) {
                    product[k] += wx * p[k];
                    square[k] += w * p[k] * p[k];
                }
            }
        }
    }
}

float CodebookSearch::vector_cost(std::size_t vector, std::size_t variant, float s) const {
    const std::size_t first = (vector * book_.variants + variant) * book_.size;
    const float* product = products_.data() + first;
    const float* square = squares_.data() + first;
    // Explicit lanes, because the compiler may not reorder floating-point minima.
    float least[kLanes];
    std::fill_n(least, kLanes, std::numeric_limits<float>::max());
    for (std::size_t k = 0; k < book_.size; k += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float cost = s * square[k + lane] + product[k + lane];
            least[lane] = cost < least[lane] ? cost : least[lane];
        }
    }
    return s * *std::min_element(least, least + kLanes);
}

std::uint16_t CodebookSearch::best_point(std::size_t vector, std::size_t variant, float s) const {
    const std::size_t first = (vector * book_.variants + variant) * book_.size;
    std::size_t best = 0;
    for (std::size_t k = 1; k < book_.size; ++k) {
        if (s * squares_[first + k] + products_[first + k] <
            s * squares_[first + best] + products_[first + best])
            best = k;
    }
    return static_cast<std::uint16_t>(best);
}

CodebookSearch::Choice CodebookSearch::cost_of_scale(std::size_t sub, float s) const {
    Choice best;
    for (std::size_t u = 0; u < book_.variants; ++u) {
        float cost = 0.0F;
        for (std::size_t v = sub * vectors_per_sub_; v < (sub + 1) * vectors_per_sub_; ++v) {
            cost += vector_cost(v, u, s);
        }
        if (u == 0 || cost < best.cost) best = {cost, 0, static_cast<std::uint8_t>(u)};
    }
    return best;
}

float CodebookSearch::best_scale(std::size_t sub, float start) const {
    float best = 0.0F;
    float least = 0.0F;
    float s = start * kSmallestRatio;
    for (int i = 0; i < kFirstScales; ++i, s *= kRatioStep) {
        if (const float cost = cost_of_scale(sub, s).cost; cost < least) {
            least = cost;
            best = s;
        }
    }
    return best;
}

float CodebookSearch::choose(float d, const std::array<float, 16>& wanted, Choices& choices) const {
    float total = 0.0F;
    for (std::size_t sub = 0; sub < subs_; ++sub) {
        const float ratio = wanted[sub] / d;
        const auto above =
            static_cast<std::size_t>(std::ranges::lower_bound(scales_, ratio) - scales_.begin());
        const std::size_t first = above >= 2 ? above - 2 : 0;
        const std::size_t last = std::min(above + 1, scales_.size() - 1);
        choices[sub].cost = std::numeric_limits<float>::max();
        for (std::size_t code = first; code <= last; ++code) {
            Choice choice = cost_of_scale(sub, d * scales_[code]);
            choice.scale = static_cast<std::uint8_t>(code);
            if (choice.cost < choices[sub].cost) choices[sub] = choice;
        }
        total += choices[sub].cost;
    }
    return total;
}

float CodebookSearch::least_squares(float d, const Choices& choices) const {
    double product = 0.0;
    double square = 0.0;
    for (std::size_t sub = 0; sub < subs_; ++sub) {
        const Choice& choice = choices[sub];
        const float scale = scales_[choice.scale];
        for (std::size_t v = sub * vectors_per_sub_; v < (sub + 1) * vectors_per_sub_; ++v) {
            const std::size_t at =
                (v * book_.variants + choice.variant) * book_.size + best_point(v, choice.variant, d * scale);
            product += -0.5 * double{scale} * products_[at];
            square += double{scale} * scale * squares_[at];
        }
    }
    return square > 0.0 && product > 0.0 ? static_cast<float>(product / square) : d;
}

CodebookFit CodebookSearch::fit(std::span<const float> x, std::span<const float> weights) {
    take_sums(x, weights);
    const std::size_t sub_block = kSuperBlock / subs_;
    std::array<float, 16> wanted{};
    float largest_scale = 0.0F;
    for (std::size_t sub = 0; sub < subs_; ++sub) {
        float extreme = 0.0F;
        for (const float value : x.subspan(sub * sub_block, sub_block)) {
            if (std::isfinite(value)) extreme = std::max(extreme, std::fabs(value));
        }
        wanted[sub] = best_scale(sub, extreme / largest_);
        largest_scale = std::max(largest_scale, wanted[sub]);
    }
    CodebookFit result;
    if (!(largest_scale > 0.0F)) return result;

    const auto as_half = [](float d) { return f32_to_f16(std::min(d, kLargestHalf)); };
    float least = std::numeric_limits<float>::max();
    Choices best;
    const auto consider = [&](float candidate) {
        const std::uint16_t half = as_half(candidate);
        const float d = f16_to_f32(half);
        if (!(d > 0.0F)) return;
        Choices choices;
        const float total = choose(d, wanted, choices);
        if (total >= least) return;
        least = total;
        best = choices;
        result.d = half;
    };
    for (const float ratio : kSuperRatios) consider(ratio * largest_scale / scales_.back());
    if (result.d == 0) return result;
    for (int i = 0; i < 2; ++i) consider(least_squares(f16_to_f32(result.d), best));

    const float d = f16_to_f32(result.d);
    for (std::size_t sub = 0; sub < subs_; ++sub) {
        result.scales[sub] = best[sub].scale;
        result.variants[sub] = best[sub].variant;
        for (std::size_t v = sub * vectors_per_sub_; v < (sub + 1) * vectors_per_sub_; ++v) {
            result.points[v] = best_point(v, best[sub].variant, d * scales_[best[sub].scale]);
        }
    }
    return result;
}

}  // namespace splitscope::quants
