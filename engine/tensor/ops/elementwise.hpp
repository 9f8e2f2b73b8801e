// SPDX-License-Identifier: MIT
// Operations on corresponding elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport binary_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    if (!same_shape(query.graph[sources[0]], query.tensor())) return refuse_layout(sources[0], query);
    if (!can_repeat(query.graph[sources[1]], query.tensor())) return refuse_layout(sources[1], query);
    return {};
}

inline OpSupport map_rule(const OpQuery& query) {
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const TensorId source = query.graph.sources(query.node)[0];
    if (source.valid() && !same_shape(query.graph[source], query.tensor()))
        return refuse_layout(source, query);
    return {};
}

inline OpSupport add1_rule(const OpQuery& query) {
    if (const OpSupport refused = map_rule(query); !refused) return refused;
    const TensorId one = query.graph.sources(query.node)[1];
    return element_count(query.graph[one]) == 1 ? OpSupport{} : refuse_layout(one, query);
}

inline OpSupport add_id_rule(const OpQuery& query) {
    if (const OpSupport refused = map_rule(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& ids = query.graph[sources[2]];
    if (ids.type != ElementType::i32) return refuse_type(sources[2], query);
    if (ids.ne[0] < query.tensor().ne[1] || ids.ne[1] < query.tensor().ne[2])
        return refuse_layout(sources[2], query);
    return query.graph[sources[1]].ne[0] == query.tensor().ne[0] ? OpSupport{}
                                                                 : refuse_layout(sources[1], query);
}

inline OpSupport glu_rule(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    if (static_cast<std::size_t>(dst.op_params[0]) >= kGluKindCount) return refuse_parameter(query);
    if (const OpSupport refused = readable_rows(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const std::int64_t wanted = sources[1].valid() ? dst.ne[0] : 2 * dst.ne[0];
    for (const TensorId source : sources) {
        if (!source.valid()) continue;
        const Tensor& t = query.graph[source];
        if (t.ne[0] != wanted || t.ne[1] != dst.ne[1] || t.ne[2] != dst.ne[2] || t.ne[3] != dst.ne[3]) {
            return refuse_layout(source, query);
        }
    }
    return {};
}

inline OpSupport unary_rule(const OpQuery& query) {
    const auto kind = static_cast<std::size_t>(query.tensor().op_params[0]);
    if (kind >= kUnaryKindCount) return refuse_parameter(query);
    return readable_rows(query);
}

inline constexpr auto kScaleParams =
    std::to_array<OpParam>({{0, "scale", OpParam::Type::fraction}, {1, "bias", OpParam::Type::fraction}});
inline constexpr auto kClampParams =
    std::to_array<OpParam>({{0, "min", OpParam::Type::fraction}, {1, "max", OpParam::Type::fraction}});

}  // namespace splitscope::op_rules
