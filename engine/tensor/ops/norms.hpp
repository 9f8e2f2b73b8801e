// SPDX-License-Identifier: MIT
// Norms and softmax: operations on whole rows.
#pragma once

#include <array>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport group_norm_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    if (query.tensor().op_params[0] <= 0) return refuse_parameter(query);
    return same_shapes(query);
}

/// The gradient depends on the slope of the mask (backend-api.md §8.1).
inline OpSupport soft_max_back_rule(const OpQuery& query) {
    if (query.tensor().param_f32(1) != 0.0F) return refuse_parameter(query);
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    return same_shapes(query);
}

inline OpSupport soft_max_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    if (!same_shape(query.graph[sources[0]], dst)) return refuse_layout(sources[0], query);
    if (sources[1].valid()) {
        const Tensor& mask = query.graph[sources[1]];
        if (mask.ne[0] != dst.ne[0] || mask.ne[1] < dst.ne[1] || is_empty(mask)) {
            return refuse_layout(sources[1], query);
        }
    }
    if (sources[2].valid()) {
        const Tensor& sinks = query.graph[sources[2]];
        if (sinks.type != ElementType::f32) return refuse_type(sources[2], query);
        if (sinks.ne[0] < dst.ne[2]) return refuse_layout(sources[2], query);
    }
    return {};
}

inline constexpr auto kNormParams = std::to_array<OpParam>({{0, "eps", OpParam::Type::fraction}});
inline constexpr auto kGroupNormParams =
    std::to_array<OpParam>({{0, "n_groups"}, {1, "eps", OpParam::Type::fraction}});
inline constexpr auto kSoftMaxParams =
    std::to_array<OpParam>({{0, "scale", OpParam::Type::fraction}, {1, "max_bias", OpParam::Type::fraction}});

}  // namespace splitscope::op_rules
