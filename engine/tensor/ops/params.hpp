// SPDX-License-Identifier: MIT
// Parameters of operations, as stored in op_params.
#pragma once

#include <array>
#include <cstdint>

#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// Whether residual streams are multiplied by the sigmoid of gates, element by element, instead of by
/// weights.
inline bool gates_streams(const Tensor& t) {
    return t.op_params[1] != 0;
}

enum RopeMode : std::int32_t { kNormal = 0, kNeox = 2, kMrope = 8, kVision = 24, kInterleavedMrope = 40 };

struct RopeParams {
    explicit RopeParams(const Tensor& t)
        : dims(t.op_params[1]),
          mode(t.op_params[2]),
          context(t.op_params[4]),
          base(t.param_f32(5)),
          scale(t.param_f32(6)),
          extrapolation(t.param_f32(7)),
          attention(t.param_f32(8)),
          beta_fast(t.param_f32(9)),
          beta_slow(t.param_f32(10)),
          sections{t.op_params[11], t.op_params[12], t.op_params[13], t.op_params[14]},
          first(t.op_params[15]) {}

    bool has_sections() const { return (mode & kMrope) != 0; }
    /// Distance of the two elements of a pair.
    std::int64_t pair_distance() const {
        if (mode == kNormal) return 1;
        return mode == kVision ? dims : dims / 2;
    }
    /// Number of elements covered by the pairs.
    std::int64_t covered() const { return mode == kVision ? 2 * dims : dims; }

    std::int64_t dims;
    std::int32_t mode;
    std::int32_t context;
    float base, scale, extrapolation, attention, beta_fast, beta_slow;
    std::array<std::int32_t, 4> sections;
    std::int64_t first;
};

/// Maximum or average under a window of width × height. Padding counts in the divisor of POOL_2D's average,
/// not in that of POOL_1D.
struct PoolParams {
    bool average;
    std::int64_t width, height, step_x, step_y, pad_x, pad_y;

    explicit PoolParams(const Tensor& t) {
        const auto& p = t.op_params;
        average = p[0] == 1;
        if (t.op == Op::pool_1d) {
            width = p[1], height = 1, step_x = p[2], step_y = 1, pad_x = p[3], pad_y = 0;
        } else {
            width = p[1], height = p[2], step_x = p[3], step_y = p[4], pad_x = p[5], pad_y = p[6];
        }
    }
};

enum ResampleMode : std::int32_t { kNearest = 0, kBilinear = 1, kBicubic = 2 };
constexpr std::int32_t kAlignCorners = 256;
constexpr std::int32_t kAntialias = 512;

/// The window: its strides and offset, in bytes.
struct WindowParams {
    explicit WindowParams(const Tensor& t)
        : nb1(t.op_params[0]), nb2(t.op_params[1]), nb3(t.op_params[2]), offset(t.op_params[3]) {}
    std::int64_t at(std::int64_t i1, std::int64_t i2, std::int64_t i3) const {
        return offset + i1 * nb1 + i2 * nb2 + i3 * nb3;
    }
    std::int64_t nb1, nb2, nb3, offset;
};

}  // namespace splitscope
