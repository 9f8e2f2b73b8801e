// SPDX-License-Identifier: MIT
// Convolutions, pooling and other windows that slide over an image.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/support/checked.hpp"
#include "engine/tensor/ops/params.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

/// The result has room for every tap of every input.
inline bool spreads_to(std::int64_t out, std::int64_t in, std::int64_t taps, std::int64_t stride) {
    const auto last = checked_mul(in - 1, stride);
    return in > 0 && taps > 0 && last && out >= *last + taps;
}

/// An F32 or F16 kernel, F32 image and result, and positive strides among the parameters given.
inline OpSupport kernel_rule(const OpQuery& query, std::span<const std::size_t> positive) {
    const Sources& sources = query.graph.sources(query.node);
    const ElementType kernel = query.graph[sources[0]].type;
    if (kernel != ElementType::f32 && kernel != ElementType::f16) return refuse_type(sources[0], query);
    if (query.graph[sources[1]].type != ElementType::f32) return refuse_type(sources[1], query);
    if (query.tensor().type != ElementType::f32) return refuse_type(query.node, query);
    for (const std::size_t i : positive) {
        if (query.tensor().op_params[i] <= 0) return refuse_parameter(query);
    }
    return {};
}

inline OpSupport conv_2d_rule(const OpQuery& query) {
    constexpr std::array<std::size_t, 4> kPositive{0, 1, 4, 5};
    if (const OpSupport refused = kernel_rule(query, kPositive); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& kernel = query.graph[sources[0]];
    const Tensor& image = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (dst.op == Op::conv_2d && !is_contiguous(kernel)) return refuse_layout(sources[0], query);
    const bool channels = dst.op == Op::conv_2d ? kernel.ne[2] == image.ne[2]
                                                : kernel.ne[2] == 1 && image.ne[2] == kernel.ne[3];
    if (!channels) return refuse_layout(sources[1], query);
    return dst.ne[2] == kernel.ne[3] && dst.ne[3] == image.ne[3] ? OpSupport{}
                                                                 : refuse_layout(query.node, query);
}

inline OpSupport conv_3d_rule(const OpQuery& query) {
    constexpr std::array<std::size_t, 9> kPositive{0, 1, 2, 6, 7, 8, 9, 10, 11};
    if (const OpSupport refused = kernel_rule(query, kPositive); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const std::int64_t channels = dst.op_params[9];
    const std::int64_t batch = dst.op_params[10];
    const std::int64_t outputs = dst.op_params[11];
    if (query.graph[sources[0]].ne[3] != channels * outputs) return refuse_layout(sources[0], query);
    if (query.graph[sources[1]].ne[3] != channels * batch) return refuse_layout(sources[1], query);
    return dst.ne[3] == outputs * batch ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport conv_transpose_1d_rule(const OpQuery& query) {
    constexpr std::array<std::size_t, 1> kPositive{0};
    if (const OpSupport refused = kernel_rule(query, kPositive); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& kernel = query.graph[sources[0]];
    const Tensor& input = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (kernel.ne[2] != input.ne[1]) return refuse_layout(sources[0], query);
    const bool fits = has_float_rows(dst) && dst.ne[1] == kernel.ne[1] && dst.ne[2] == 1 && dst.ne[3] == 1 &&
                      spreads_to(dst.ne[0], input.ne[0], kernel.ne[0], dst.op_params[0]);
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport conv_transpose_2d_rule(const OpQuery& query) {
    constexpr std::array<std::size_t, 1> kPositive{0};
    if (const OpSupport refused = kernel_rule(query, kPositive); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& kernel = query.graph[sources[0]];
    const Tensor& input = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (kernel.ne[3] != input.ne[2]) return refuse_layout(sources[0], query);
    const bool fits = has_float_rows(dst) && dst.ne[2] == kernel.ne[2] && dst.ne[3] == input.ne[3] &&
                      spreads_to(dst.ne[0], input.ne[0], kernel.ne[0], dst.op_params[0]) &&
                      spreads_to(dst.ne[1], input.ne[1], kernel.ne[1], dst.op_params[0]);
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport im2col_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& kernel = query.graph[sources[0]];
    const Tensor& image = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (image.type != ElementType::f32) return refuse_type(sources[1], query);
    if (!is_writable(dst)) return refuse_type(query.node, query);
    const bool flat = dst.op_params[6] == 0;
    const std::int64_t patch = image.ne[flat ? 1 : 2] * (flat ? 1 : kernel.ne[1]) * kernel.ne[0];
    const bool fits =
        dst.ne[0] == patch && (flat ? dst.ne[2] == image.ne[2] && dst.ne[3] == 1 : dst.ne[3] == image.ne[3]);
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport im2col_3d_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& kernel = query.graph[sources[0]];
    const Tensor& volume = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (volume.type != ElementType::f32) return refuse_type(sources[1], query);
    if (!is_writable(dst)) return refuse_type(query.node, query);
    const std::int64_t channels = dst.op_params[9];
    if (channels <= 0 || volume.ne[3] % channels != 0 || volume.ne[3] == 0) return refuse_parameter(query);
    const std::int64_t batches = volume.ne[3] / channels;
    const bool fits =
        dst.ne[0] == channels * kernel.ne[0] * kernel.ne[1] * kernel.ne[2] && dst.ne[3] % batches == 0;
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport col2im_1d_rule(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& columns = query.graph[source];
    const Tensor& dst = query.tensor();
    if (!is_readable(columns) || traits_of(columns.type).block_elements != 1)
        return refuse_type(source, query);
    if (!is_writable(dst)) return refuse_type(query.node, query);
    const std::int64_t channels = dst.op_params[1];
    if (channels <= 0 || columns.ne[0] % channels != 0) return refuse_parameter(query);
    const bool fits = dst.ne[1] == channels && dst.ne[2] == columns.ne[2] && dst.ne[3] == columns.ne[3];
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport pool_rule(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    const Tensor& dst = query.tensor();
    if (!is_readable(src)) return refuse_type(source, query);
    if (!has_float_rows(dst)) return refuse_layout(query.node, query);
    const PoolParams pool(dst);
    if (dst.op_params[0] < 0 || dst.op_params[0] > 1 || pool.width <= 0 || pool.height <= 0)
        return refuse_parameter(query);
    const bool fits =
        dst.ne[2] == src.ne[2] && dst.ne[3] == src.ne[3] && (dst.op != Op::pool_1d || dst.ne[1] == src.ne[1]);
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport upscale_rule(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    const TensorId source = query.graph.sources(query.node)[0];
    if (query.graph[source].type != ElementType::f32) return refuse_type(source, query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(dst)) return refuse_layout(query.node, query);
    if (is_empty(query.graph[source])) return refuse_layout(source, query);
    const std::int32_t mode = dst.op_params[0] & 255;
    const std::int32_t known = kAlignCorners | kAntialias | 255;
    const bool antialias = (dst.op_params[0] & kAntialias) != 0;
    if (mode > kBicubic || (dst.op_params[0] & ~known) != 0 || (antialias && mode != kBilinear)) {
        return refuse_parameter(query);
    }
    return {};
}

}  // namespace splitscope::op_rules
