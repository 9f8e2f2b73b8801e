// SPDX-License-Identifier: MIT
// ROPE: rotates pairs of elements by position-dependent angles, in five arrangements, with YaRN.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/ops/params.hpp"

namespace splitscope::cpu {
namespace {

/// YaRN: between which pairs the angles go from extrapolated to interpolated.
struct YarnRamp {
    explicit YarnRamp(const RopeParams& p) {
        const auto dimension = [&p](float rotations) {
            return static_cast<float>(p.dims) *
                   std::log(static_cast<float>(p.context) / (rotations * 2.0F * std::numbers::pi_v<float>)) /
                   (2.0F * std::log(p.base));
        };
        low = std::max(0.0F, std::floor(dimension(p.beta_fast)));
        high = std::min(static_cast<float>(p.dims - 1), std::ceil(dimension(p.beta_slow)));
    }
    /// 1: extrapolate, 0: interpolate.
    float at(std::int64_t pair) const {
        const float y = (static_cast<float>(pair) - low) / std::max(0.001F, high - low);
        return 1.0F - std::clamp(y, 0.0F, 1.0F);
    }
    float low;
    float high;
};

/// Cosine and sine of every pair for one token.
class Rotations {
 public:
    Rotations(const RopeParams& params, const float* factors, float* memory)
        : p_(params), ramp_(params), factors_(factors), cos_sin_(memory) {
        std::ranges::copy(p_.sections, sections_.begin());
        step_ = std::pow(p_.base, -2.0F / static_cast<float>(p_.dims));
        magnitude_ = p_.attention;
        if (p_.extrapolation != 0.0F) magnitude_ *= 1.0F + 0.1F * std::log(1.0F / p_.scale);
    }

    void set_position(float position) {
        float angle = position;
        for (std::int64_t pair = 0; pair < p_.dims / 2; ++pair, angle *= step_) put(pair, angle);
    }

    /// Time, height, width and one more position; each pair uses the position of its section.
    void set_positions(const std::array<float, 4>& positions) {
        const auto& s = sections_;
        const std::int64_t period = std::max<std::int64_t>(1, s[0] + s[1] + s[2] + s[3]);
        std::array<float, 4> angles = positions;
        for (std::int64_t pair = 0; pair < p_.covered() / 2; ++pair) {
            const std::int64_t sector = pair % period;
            if (p_.mode == kVision) restart(angles, positions, sector);
            put(pair, angles[section_of(sector)]);
            for (float& angle : angles) angle *= step_;
        }
    }

    const float* cos_sin() const { return cos_sin_; }

 private:
    std::size_t section_of(std::int64_t sector) const {
        const auto& s = sections_;
        if (p_.mode == kInterleavedMrope) {
            if (sector % 3 == 1 && sector < 3 * s[1]) return 1;
            if (sector % 3 == 2 && sector < 3 * s[2]) return 2;
            if (sector % 3 == 0 && sector < 3 * s[0]) return 0;
            return 3;
        }
        if (sector < s[0]) return 0;
        if (sector < s[0] + s[1]) return 1;
        return sector < s[0] + s[1] + s[2] ? 2 : 3;
    }

    /// Vision: the angles restart at the first pair of each section.
    void restart(std::array<float, 4>& angles, const std::array<float, 4>& positions,
                 std::int64_t sector) const {
        std::int64_t start = 0;
        for (std::size_t i = 0; i < angles.size(); ++i) {
            if (sector == start) angles[i] = positions[i];
            start += sections_[i];
        }
    }

    void put(std::int64_t pair, float angle) {
        const float extrapolated = angle / (factors_ != nullptr ? factors_[pair] : 1.0F);
        float turned = p_.scale * extrapolated;
        if (p_.extrapolation != 0.0F) {
            const float mix = ramp_.at(pair) * p_.extrapolation;
            turned = turned * (1.0F - mix) + extrapolated * mix;
        }
        cos_sin_[2 * pair] = std::cos(turned) * magnitude_;
        cos_sin_[2 * pair + 1] = std::sin(turned) * magnitude_;
    }

    const RopeParams& p_;
    std::array<std::int64_t, 4> sections_{};  ///< 64 bits, because graph files may have any sizes
    YarnRamp ramp_;
    const float* factors_;
    float* cos_sin_;
    float step_ = 1.0F;
    float magnitude_ = 1.0F;
};

/// `direction` −1 rotates backwards.
template <int direction>
void compute_rope(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& positions = context.src(1);
    const RopeParams p(*dst);
    const float* factors = context.src(2) ? reinterpret_cast<const float*>(context.src(2).data) : nullptr;
    Rotations rotations(p, factors, scratch_row(context, 2));
    const std::int64_t tokens = dst->ne[2];
    const std::int64_t distance = p.pair_distance();
    std::int64_t token = -1;
    // Rows of a token are adjacent in this order, so its angles are computed once.
    for_thread_rows(context, dst->ne, [&](std::int64_t i1, std::int64_t i2, std::int64_t i3) {
        if (i2 != token) {
            token = i2;
            const auto position = [&](std::int64_t i) {
                return static_cast<float>(positions.value<std::int32_t>(i));
            };
            if (p.has_sections()) {
                rotations.set_positions({position(i2), position(i2 + tokens), position(i2 + 2 * tokens),
                                         position(i2 + 3 * tokens)});
            } else {
                rotations.set_position(position(i2));
            }
        }
        const float* x = load_row(context.src(0), i1, i2, i3, scratch_row(context, 0));
        float* out = result_row(dst, i1, i2, i3, scratch_row(context, 1));
        if (out != x) std::copy_n(x, dst->ne[0], out);
        const float* turn = rotations.cos_sin();
        for (std::int64_t pair = 0; pair < p.covered() / 2; ++pair) {
            const std::int64_t i = p.first + (p.mode == kNormal ? 2 * pair : pair);
            const float cos = turn[2 * pair];
            const float sin = turn[2 * pair + 1] * static_cast<float>(direction);
            const float a = x[i];
            const float b = x[i + distance];
            out[i] = a * cos - b * sin;
            out[i + distance] = a * sin + b * cos;
        }
        store_row(dst, i1, i2, i3, out);
    });
}

}  // namespace

std::span<const KernelRow> rope_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::rope, {.compute = compute_rope<1>}},
        {Op::rope_back, {.compute = compute_rope<-1>}},
    });
    return rows;
}

}  // namespace splitscope::cpu
