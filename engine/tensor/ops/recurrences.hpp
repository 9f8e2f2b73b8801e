// SPDX-License-Identifier: MIT
// State-space models and recurrent attention.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/support/checked.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport ssm_conv_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& x = query.graph[sources[0]];
    const Tensor& kernel = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (x.ne[1] != dst.ne[0] || x.ne[2] != dst.ne[2] || x.ne[0] < dst.ne[1] - 1 + kernel.ne[0]) {
        return refuse_layout(sources[0], query);
    }
    return kernel.ne[1] == dst.ne[0] && dst.ne[3] == 1 ? OpSupport{} : refuse_layout(sources[1], query);
}

inline OpSupport ssm_scan_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    for (std::size_t i = 0; i < 6; ++i) {
        if (query.graph[sources[i]].type != ElementType::f32) return refuse_type(sources[i], query);
        if (!has_float_rows(query.graph[sources[i]])) return refuse_layout(sources[i], query);
    }
    const auto tensor = [&](std::size_t i) -> const Tensor& { return query.graph[sources[i]]; };
    if (tensor(6).type != ElementType::i32) return refuse_type(sources[6], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    // Snapshots are for Mamba 2, which has one decay for each head.
    if (dst.op_params[0] != 1 && tensor(3).ne[0] != 1) return refuse_parameter(query);
    const Tensor& state = tensor(0);
    const Tensor& x = tensor(1);
    const Shape shared{state.ne[0], tensor(4).ne[1], x.ne[2], x.ne[3]};
    if (is_empty(state) || is_empty(x) || x.ne[0] != state.ne[1] || x.ne[1] != state.ne[2]) {
        return refuse_layout(sources[1], query);
    }
    const Shape steps{state.ne[2], x.ne[2], x.ne[3], 1};
    if (tensor(2).ne != steps) return refuse_layout(sources[2], query);
    if ((tensor(3).ne[0] != 1 && tensor(3).ne[0] != state.ne[0]) || tensor(3).ne[1] != state.ne[2]) {
        return refuse_layout(sources[3], query);
    }
    for (const std::size_t i : {std::size_t{4}, std::size_t{5}}) {
        if (tensor(i).ne != shared || shared[1] <= 0 || state.ne[2] % shared[1] != 0)
            return refuse_layout(sources[i], query);
    }
    if (tensor(6).ne[0] < x.ne[3]) return refuse_layout(sources[6], query);
    const std::int64_t snapshots = std::max<std::int64_t>(1, dst.op_params[0]);
    const std::int64_t needed =
        element_count(x) + snapshots * state.ne[0] * state.ne[1] * state.ne[2] * x.ne[3];
    return is_contiguous(dst) && element_count(dst) >= needed ? OpSupport{}
                                                              : refuse_layout(query.node, query);
}

/// Contiguous F32 results of at least `needed` elements.
inline OpSupport holds(const OpQuery& query, std::optional<std::int64_t> needed) {
    const Tensor& dst = query.tensor();
    const bool fits = needed && is_contiguous(dst) && element_count(dst) >= *needed;
    return fits ? OpSupport{} : refuse_layout(query.node, query);
}

template <std::size_t kState>
OpSupport recurrence_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& first = query.graph[sources[0]];
    const Tensor& state = query.graph[sources[kState]];
    const std::int64_t cells = first.ne[0] * first.ne[0] * first.ne[1];
    if (is_empty(first) || first.ne[3] != 1) return refuse_layout(sources[0], query);
    if (state.ne[0] != cells || state.ne[1] <= 0 || first.ne[2] % state.ne[1] != 0 || !is_contiguous(state)) {
        return refuse_layout(sources[kState], query);
    }
    for (std::size_t i = 1; i < kState; ++i) {
        const Tensor& t = query.graph[sources[i]];
        const bool bonus = kState == 5 && i == 3;
        const Shape expected{first.ne[0], first.ne[1], bonus ? 1 : first.ne[2], 1};
        if (t.ne != expected) return refuse_layout(sources[i], query);
    }
    return holds(query, checked_add(element_count(first), cells * state.ne[1]));
}

inline OpSupport gated_delta_net_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const auto tensor = [&](std::size_t i) -> const Tensor& { return query.graph[sources[i]]; };
    const Tensor& v = tensor(2);
    if (is_empty(v)) return refuse_layout(sources[2], query);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        const Tensor& t = tensor(i);
        const bool fits = t.ne[0] == v.ne[0] && t.ne[1] > 0 && v.ne[1] % t.ne[1] == 0 && t.ne[2] == v.ne[2] &&
                          t.ne[3] == v.ne[3];
        if (!fits) return refuse_layout(sources[i], query);
    }
    const Shape rates{1, v.ne[1], v.ne[2], v.ne[3]};
    const Shape gates{tensor(3).ne[0] == 1 ? 1 : v.ne[0], v.ne[1], v.ne[2], v.ne[3]};
    if (tensor(3).ne != gates) return refuse_layout(sources[3], query);
    if (tensor(4).ne != rates) return refuse_layout(sources[4], query);
    const std::int64_t cells = v.ne[0] * v.ne[0] * v.ne[1] * v.ne[3];
    if (element_count(tensor(5)) != cells || !is_contiguous(tensor(5)))
        return refuse_layout(sources[5], query);
    const std::int64_t snapshots = std::max<std::int64_t>(1, query.tensor().op_params[0]);
    const auto states = checked_mul(cells, snapshots);
    return holds(query, states ? checked_add(element_count(v), *states) : std::nullopt);
}

}  // namespace splitscope::op_rules
