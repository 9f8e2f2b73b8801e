// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace splitscope::quants {

/// The codebook points for a group of neighbouring elements, in units of the sub-block's scale.
struct Codebook {
    std::size_t dims = 0;       ///< elements of a point: 4 or 8
    std::size_t variants = 1;   ///< books of `size` points each; a sub-block uses one of them
    std::size_t size = 0;       ///< points of a variant, a multiple of 8
    std::vector<float> points;  ///< coordinate j of point k of variant u at (u · dims + j) · size + k
};

/// Encoding of a super-block of 256 elements: element = d · scale of its sub-block · coordinate.
struct CodebookFit {
    std::uint16_t d = 0;                      ///< binary16
    std::array<std::uint8_t, 16> scales{};    ///< number of each sub-block's scale
    std::array<std::uint8_t, 16> variants{};  ///< of each sub-block
    std::array<std::uint16_t, 64> points{};   ///< of each `dims` elements
};

/// Finds the encoding with the least weighted squared error. For a vector x with weights w and scale s, point
/// p adds s² Σ w p² − 2 s Σ w x p to the error; both sums are independent of the scale, so they are computed
/// once and every point is tested with every scale.
class CodebookSearch {
 public:
    /// `scales`: values of the scale numbers, ascending and positive. `sub_block`: its number of elements.
    CodebookSearch(const Codebook& book, std::size_t sub_block, std::span<const float> scales);

    /// 256 values and weights; non-finite values count as zero.
    CodebookFit fit(std::span<const float> x, std::span<const float> weights);

 private:
    struct Choice {
        float cost = 0.0F;
        std::uint8_t scale = 0;
        std::uint8_t variant = 0;
    };
    using Choices = std::array<Choice, 16>;

    void take_sums(std::span<const float> x, std::span<const float> weights);
    float vector_cost(std::size_t vector, std::size_t variant, float s) const;
    std::uint16_t best_point(std::size_t vector, std::size_t variant, float s) const;
    Choice cost_of_scale(std::size_t sub, float s) const;
    float best_scale(std::size_t sub, float start) const;
    float choose(float d, const std::array<float, 16>& wanted, Choices& choices) const;
    float least_squares(float d, const Choices& choices) const;

    const Codebook& book_;
    std::vector<float> scales_;
    std::size_t subs_;
    std::size_t vectors_;  ///< of the super-block
    std::size_t vectors_per_sub_;
    float largest_ = 0.0F;         ///< coordinate
    std::vector<float> products_;  ///< −2 Σ w x p, of each vector and point
    std::vector<float> squares_;   ///< Σ w p²
};

}  // namespace splitscope::quants
