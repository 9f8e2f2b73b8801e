// SPDX-License-Identifier: MIT
// Operations that move, cut, repeat or mask elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/support/checked.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/ops/params.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline constexpr std::size_t kElementBytes = 4;  // of SET and ACC

/// Unquantised elements of a single type.
inline OpSupport same_plain_type(const OpQuery& query) {
    if (traits_of(query.tensor().type).block_elements != 1) return refuse_type(query.node, query);
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && query.graph[source].type != query.tensor().type)
            return refuse_type(source, query);
    }
    return {};
}

inline OpSupport concat_rule(const OpQuery& query) {
    if (const OpSupport refused = same_plain_type(query); !refused) return refused;
    const std::int32_t dimension = query.tensor().op_params[0];
    if (dimension < 0 || dimension > 3) return refuse_parameter(query);
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& a = query.graph[sources[0]];
    const Tensor& b = query.graph[sources[1]];
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        const bool along = d == static_cast<std::size_t>(dimension);
        const std::int64_t expected = along ? a.ne[d] + b.ne[d] : a.ne[d];
        if (query.tensor().ne[d] != expected || (!along && b.ne[d] != a.ne[d]))
            return refuse_layout(sources[1], query);
    }
    return {};
}

inline OpSupport repeat_rule(const OpQuery& query) {
    // The second source, if any, only determines the shape.
    if (traits_of(query.tensor().type).block_elements != 1) return refuse_type(query.node, query);
    const TensorId source = query.graph.sources(query.node)[0];
    if (query.graph[source].type != query.tensor().type) return refuse_type(source, query);
    return can_repeat(query.graph[source], query.tensor()) ? OpSupport{} : refuse_layout(source, query);
}

/// F32 with contiguous rows of the result; the source has any strides and is not empty.
inline OpSupport float_source(const OpQuery& query) {
    if (query.tensor().type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(query.tensor())) return refuse_layout(query.node, query);
    const TensorId source = query.graph.sources(query.node)[0];
    if (query.graph[source].type != ElementType::f32) return refuse_type(source, query);
    return is_empty(query.graph[source]) ? refuse_layout(source, query) : OpSupport{};
}

inline OpSupport pad_reflect_rule(const OpQuery& query) {
    if (const OpSupport refused = float_source(query); !refused) return refused;
    const Tensor& src = query.graph[query.graph.sources(query.node)[0]];
    const Tensor& dst = query.tensor();
    const std::int64_t left = dst.op_params[0];
    const std::int64_t right = dst.op_params[1];
    const bool inside = left >= 0 && right >= 0 && left < src.ne[0] && right < src.ne[0];
    if (!inside || dst.ne[0] != src.ne[0] + left + right) return refuse_parameter(query);
    if (dst.ne[1] != src.ne[1] || dst.ne[2] != src.ne[2] || dst.ne[3] != src.ne[3])
        return refuse_layout(query.node, query);
    return {};
}

inline OpSupport roll_rule(const OpQuery& query) {
    if (const OpSupport refused = float_source(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    return same_shape(query.graph[source], query.tensor()) ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport win_part_rule(const OpQuery& query) {
    if (const OpSupport refused = float_source(query); !refused) return refused;
    const Tensor& dst = query.tensor();
    const Tensor& src = query.graph[query.graph.sources(query.node)[0]];
    if (dst.op_params[0] <= 0 || dst.op_params[2] <= 0) return refuse_parameter(query);
    return dst.ne[0] == src.ne[0] ? OpSupport{} : refuse_layout(query.node, query);
}

inline OpSupport win_unpart_rule(const OpQuery& query) {
    if (const OpSupport refused = float_source(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& dst = query.tensor();
    const Tensor& src = query.graph[source];
    const std::int64_t size = dst.op_params[0];
    if (size <= 0) return refuse_parameter(query);
    const std::int64_t across = (dst.ne[1] + size - 1) / size;
    const std::int64_t down = (dst.ne[2] + size - 1) / size;
    const bool fits =
        src.ne[0] == dst.ne[0] && src.ne[1] == size && src.ne[2] == size && src.ne[3] >= across * down;
    return fits && dst.ne[3] == 1 ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport get_rel_pos_rule(const OpQuery& query) {
    if (const OpSupport refused = same_plain_type(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    const Tensor& dst = query.tensor();
    const bool fits = src.ne[0] == dst.ne[0] && src.ne[1] >= dst.ne[1] + dst.ne[2] - 1 && dst.ne[3] == 1;
    return fits ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport diag_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& dst = query.tensor();
    const Shape expected{dst.ne[1], 1, dst.ne[2], dst.ne[3]};
    return query.graph[source].ne == expected && dst.ne[0] == dst.ne[1] ? OpSupport{}
                                                                        : refuse_layout(source, query);
}

inline OpSupport mask_rule(const OpQuery& query) {
    if (query.tensor().type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(query.tensor())) return refuse_layout(query.node, query);
    const TensorId source = query.graph.sources(query.node)[0];
    if (!is_readable(query.graph[source])) return refuse_type(source, query);
    return same_shape(query.graph[source], query.tensor()) ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport timestep_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Tensor& dst = query.tensor();
    if (dst.op_params[0] < 0 || dst.op_params[0] > dst.ne[0] || dst.op_params[1] <= 0)
        return refuse_parameter(query);
    const TensorId source = query.graph.sources(query.node)[0];
    return query.graph[source].ne[0] >= dst.ne[1] ? OpSupport{} : refuse_layout(source, query);
}

inline OpSupport add_rel_pos_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    if (!same_shape(query.graph[sources[0]], dst)) return refuse_layout(sources[0], query);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        const Tensor& bias = query.graph[sources[i]];
        const bool fits = bias.ne[0] * bias.ne[0] == dst.ne[0] && bias.ne[1] * bias.ne[2] == dst.ne[1] &&
                          bias.ne[3] == dst.ne[2];
        if (!fits || !same_shape(bias, query.graph[sources[1]])) return refuse_layout(sources[i], query);
    }
    return {};
}

template <bool kAddTo>
OpSupport window_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const Tensor& part = query.graph[sources[1]];
    const auto fits = [](ElementType type) {
        return type == ElementType::f32 || (!kAddTo && type == ElementType::i32);
    };
    if (!fits(dst.type)) return refuse_type(query.node, query);
    if (query.graph[sources[0]].type != dst.type) return refuse_type(sources[0], query);
    if (part.type != dst.type) return refuse_type(sources[1], query);
    if (!same_layout(query.graph[sources[0]], dst) || !is_contiguous(dst))
        return refuse_layout(sources[0], query);
    if (is_empty(part)) return {};
    const WindowParams window(dst);
    if (window.nb1 < 0 || window.nb2 < 0 || window.nb3 < 0 || window.offset < 0)
        return refuse_parameter(query);
    const auto last = checked_add(window.at(part.ne[1] - 1, part.ne[2] - 1, part.ne[3] - 1),
                                  part.ne[0] * std::int64_t{kElementBytes});
    const bool inside = last && *last <= static_cast<std::int64_t>(byte_size(dst));
    return inside && window.offset % std::int64_t{kElementBytes} == 0 ? OpSupport{} : refuse_parameter(query);
}

inline constexpr auto kConcatParams = std::to_array<OpParam>({{0, "dim"}});
inline constexpr auto kPermuteParams =
    std::to_array<OpParam>({{0, "axis0"}, {1, "axis1"}, {2, "axis2"}, {3, "axis3"}});
inline constexpr auto kViewParams = std::to_array<OpParam>({{0, "offset", OpParam::Type::bytes}});

}  // namespace splitscope::op_rules
