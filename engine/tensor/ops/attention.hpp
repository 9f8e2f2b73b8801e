// SPDX-License-Identifier: MIT
// Attention, positions and related operations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "engine/support/limits.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/ops/params.hpp"
#include "engine/tensor/ops/rules.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::op_rules {

inline OpSupport flash_attention_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& q = query.graph[sources[0]];
    const Tensor& k = query.graph[sources[1]];
    const Tensor& v = query.graph[sources[2]];
    const Tensor& dst = query.tensor();
    if (q.type != ElementType::f32) return refuse_type(sources[0], query);
    if (!can_decode(k.type)) return refuse_type(sources[1], query);
    if (!can_decode(v.type)) return refuse_type(sources[2], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    const auto shared = [&q](const Tensor& kv) {
        return kv.ne[2] > 0 && kv.ne[3] > 0 && q.ne[2] % kv.ne[2] == 0 && q.ne[3] % kv.ne[3] == 0;
    };
    if (!has_contiguous_rows(q)) return refuse_layout(sources[0], query);
    if (!shared(k) || !has_contiguous_rows(k) || k.ne[0] != q.ne[0] || !is_readable(k)) {
        return refuse_layout(sources[1], query);
    }
    if (!shared(v) || v.ne[1] != k.ne[1] || !is_readable(v)) return refuse_layout(sources[2], query);
    const Shape expected{v.ne[0], q.ne[2], q.ne[1], q.ne[3]};
    if (dst.ne != expected || !has_float_rows(dst)) return refuse_layout(query.node, query);
    if (sources[3].valid()) {
        const Tensor& mask = query.graph[sources[3]];
        if (!can_decode(mask.type)) return refuse_type(sources[3], query);
        if (mask.ne[2] == 0 || mask.ne[3] == 0 || mask.ne[0] < k.ne[1] || mask.ne[1] < q.ne[1])
            return refuse_layout(sources[3], query);
    }
    if (sources[4].valid()) {
        const Tensor& sinks = query.graph[sources[4]];
        if (sinks.type != ElementType::f32) return refuse_type(sources[4], query);
        if (sinks.ne[0] < q.ne[2]) return refuse_layout(sources[4], query);
    }
    return {};
}

inline OpSupport rope_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    const RopeParams p(dst);
    if (p.mode != kNormal && p.mode != kNeox && p.mode != kMrope && p.mode != kVision &&
        p.mode != kInterleavedMrope) {
        return refuse_parameter(query);
    }
    if (p.dims <= 0 || p.dims % 2 != 0 || p.first < 0 || p.first + p.covered() > dst.ne[0]) {
        return refuse_parameter(query);
    }
    if (!is_readable(query.graph[sources[0]])) return refuse_layout(sources[0], query);
    if (!is_writable(dst)) return refuse_layout(query.node, query);
    const Tensor& positions = query.graph[sources[1]];
    if (positions.type != ElementType::i32) return refuse_type(sources[1], query);
    if (positions.ne[0] < dst.ne[2] * (p.has_sections() ? 4 : 1)) return refuse_layout(sources[1], query);
    if (sources[2].valid()) {
        const Tensor& factors = query.graph[sources[2]];
        if (factors.type != ElementType::f32) return refuse_type(sources[2], query);
        if (factors.ne[0] < p.covered() / 2 || !is_contiguous(factors))
            return refuse_layout(sources[2], query);
    }
    return {};
}

/// Shapes of the sources, in order.
inline OpSupport expect_shapes(const OpQuery& query, std::initializer_list<Shape> shapes) {
    std::size_t i = 0;
    for (const Shape& shape : shapes) {
        const TensorId source = query.graph.sources(query.node)[i++];
        if (query.graph[source].ne != shape) return refuse_layout(source, query);
    }
    return {};
}

inline OpSupport lightning_indexer_rule(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    for (const std::size_t i : {0, 2}) {
        if (query.graph[sources[i]].type != ElementType::f32) return refuse_type(sources[i], query);
        if (!has_float_rows(query.graph[sources[i]])) return refuse_layout(sources[i], query);
    }
    for (const std::size_t i : {1, 3})
        if (!is_readable(query.graph[sources[i]])) return refuse_type(sources[i], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(dst)) return refuse_layout(query.node, query);
    const Tensor& q = query.graph[sources[0]];
    const std::int64_t streams = dst.ne[3];
    const Shape keys{q.ne[0], 1, dst.ne[0], streams};
    const Shape weights{q.ne[1], q.ne[2], 1, streams};
    const Shape queries{q.ne[0], q.ne[1], dst.ne[1], streams};
    const Shape mask{dst.ne[0], dst.ne[1], 1, streams};
    if (dst.ne[2] != 1) return refuse_layout(query.node, query);
    return expect_shapes(query, {queries, keys, weights, mask});
}

inline OpSupport hc_pre_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Tensor& dst = query.tensor();
    const std::int64_t streams = query.graph[query.graph.sources(query.node)[0]].ne[1];
    if (dst.ne[2] != 1 || dst.ne[3] != 1) return refuse_layout(query.node, query);
    const Shape all{dst.ne[0], streams, dst.ne[1], 1};
    // Gates of each element, or weights of each stream.
    return expect_shapes(query, {all, gates_streams(dst) ? all : Shape{streams, dst.ne[1], 1, 1}});
}

inline OpSupport hc_post_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Shape& ne = query.tensor().ne;
    if (ne[3] != 1) return refuse_layout(query.node, query);
    const Shape output{ne[0], ne[2], 1, 1};
    const Shape weights{ne[1], ne[2], 1, 1};
    // Without matrices, streams are not mixed.
    if (!query.graph.sources(query.node)[3].valid()) return expect_shapes(query, {output, ne, weights});
    return expect_shapes(query, {output, ne, weights, Shape{ne[1], ne[1], ne[2], 1}});
}

inline OpSupport hc_comb_rule(const OpQuery& query) {
    if (const OpSupport refused = float_rows(query); !refused) return refused;
    const Shape& ne = query.tensor().ne;
    if (ne[0] != ne[1] || ne[3] != 1) return refuse_layout(query.node, query);
    const std::int32_t iterations = query.tensor().op_params[1];
    if (iterations < 0 || static_cast<std::uint64_t>(iterations) > kMaxSinkhornIterations)
        return refuse_parameter(query);
    const std::int64_t numbers = 2 * ne[0] + ne[0] * ne[0];
    return expect_shapes(query, {Shape{numbers, ne[2], 1, 1}, Shape{3, 1, 1, 1}, Shape{numbers, 1, 1, 1}});
}

inline constexpr auto kFlashAttentionParams =
    std::to_array<OpParam>({{0, "scale", OpParam::Type::fraction},
                            {1, "max_bias", OpParam::Type::fraction},
                            {2, "logit_softcap", OpParam::Type::fraction}});
inline constexpr auto kRopeParams = std::to_array<OpParam>({{1, "n_dims"},
                                                            {2, "mode"},
                                                            {4, "n_ctx_orig"},
                                                            {5, "freq_base", OpParam::Type::fraction},
                                                            {6, "freq_scale", OpParam::Type::fraction},
                                                            {7, "ext_factor", OpParam::Type::fraction},
                                                            {8, "attn_factor", OpParam::Type::fraction},
                                                            {9, "beta_fast", OpParam::Type::fraction},
                                                            {10, "beta_slow", OpParam::Type::fraction}});

}  // namespace splitscope::op_rules
