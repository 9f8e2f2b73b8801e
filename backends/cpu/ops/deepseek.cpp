// SPDX-License-Identifier: MIT
// LIGHTNING_INDEXER, and the hyper-connections DSV4_HC_PRE, DSV4_HC_POST, DSV4_HC_COMB: a token's residual is
// several parallel streams, mixed by small matrices.
#include <algorithm>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

/// score[key, token] = Σ_head weight · relu(q · k) + mask.
void compute_lightning_indexer(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& q = context.src(0);
    const TensorRef& k = context.src(1);
    const TensorRef& weights = context.src(2);
    const TensorRef& mask = context.src(3);
    for_thread_rows(context, dst->ne, [&](std::int64_t token, std::int64_t, std::int64_t) {
        const float* bias = load_row(mask, token, 0, 0, scratch_row(context, 0));
        auto* out = dst.row<float>(token, 0, 0);
        for (std::int64_t key = 0; key < dst->ne[0]; ++key) {
            float total = 0.0F;
            for (std::int64_t head = 0; head < q->ne[1]; ++head) {
                const float score =
                    kernels::dot(q.row<float>(head, token, 0), k.row<float>(0, key, 0), q->ne[0]);
                total += weights.value<float>(head, token) * std::max(score, 0.0F);
            }
            out[key] = total + bias[key];
        }
    });
}

/// Streams weighted and added: [n, streams, tokens] → [n, tokens].
void compute_hc_pre(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& x = context.src(0);
    for_thread_rows(context, dst->ne, [&](std::int64_t token, std::int64_t, std::int64_t) {
        auto* out = dst.row<float>(token, 0, 0);
        std::fill_n(out, dst->ne[0], 0.0F);
        for (std::int64_t h = 0; h < x->ne[1]; ++h) {
            kernels::add_scaled(x.row<float>(h, token, 0), context.src(1).value<float>(h, token), out,
                                dst->ne[0]);
        }
    });
}

/// A block's output spread over the streams, plus the streams mixed with each other.
void compute_hc_post(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& y = context.src(0);
    const TensorRef& x = context.src(1);
    const TensorRef& spread = context.src(2);
    const TensorRef& mix = context.src(3);
    for_thread_rows(context, dst->ne, [&](std::int64_t h, std::int64_t token, std::int64_t) {
        auto* out = dst.row<float>(h, token, 0);
        kernels::scale(y.row<float>(token, 0, 0), spread.value<float>(h, token), 0.0F, out, dst->ne[0]);
        for (std::int64_t g = 0; g < x->ne[1]; ++g) {
            kernels::add_scaled(x.row<float>(g, token, 0), mix.value<float>(h, g, token), out, dst->ne[0]);
        }
    });
}

/// The mixing matrix of each token: softmax of its rows, then rows and columns scaled to one in turn
/// (Sinkhorn), columns last. Behind the numbers of the two spreads, the source has those of the matrix.
void compute_hc_comb(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& numbers = context.src(0);
    const std::int64_t n = dst->ne[0];
    const float eps = context.node.param_f32(0);
    const std::int32_t iterations = context.node.param(1);
    const float scale = context.src(1).value<float>(2);
    for_thread_part(context, dst->ne[2], [&](std::int64_t token) {
        const auto row = [&](std::int64_t j) { return dst.row<float>(j, token, 0); };
        for (std::int64_t j = 0; j < n; ++j) {
            float* r = row(j);
            for (std::int64_t i = 0; i < n; ++i) {
                const std::int64_t at = 2 * n + j * n + i;
                r[i] = numbers.value<float>(at, token) * scale + context.src(2).value<float>(at);
            }
            const auto total = static_cast<float>(kernels::exp_shifted(r, kernels::maximum(r, n), r, n));
            kernels::scale(r, 1.0F / total, eps, r, n);
        }
        for (std::int32_t iteration = 0; iteration < iterations; ++iteration) {
            for (std::int64_t j = 0; iteration > 0 && j < n; ++j) {
                kernels::scale(row(j), 1.0F / (static_cast<float>(kernels::sum(row(j), n)) + eps), 0.0F,
                               row(j), n);
            }
            for (std::int64_t i = 0; i < n; ++i) {
                float total = eps;
                for (std::int64_t j = 0; j < n; ++j) total += row(j)[i];
                for (std::int64_t j = 0; j < n; ++j) row(j)[i] /= total;
            }
        }
    });
}

/// Shapes of the sources, in order.
OpSupport expect_shapes(const OpQuery& query, std::initializer_list<Shape> shapes) {
    std::size_t i = 0;
    for (const Shape& shape : shapes) {
        const TensorId source = query.graph.sources(query.node)[i++];
        if (query.graph[source].ne != shape) return refuse_layout(source, query);
    }
    return {};
}

OpSupport supports_lightning_indexer(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    for (std::size_t i = 0; i < 3; ++i) {
        if (query.graph[sources[i]].type != ElementType::f32) return refuse_type(sources[i], query);
        if (!has_float_rows(query.graph[sources[i]])) return refuse_layout(sources[i], query);
    }
    if (!is_readable(query.graph[sources[3]])) return refuse_type(sources[3], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    if (!has_float_rows(dst)) return refuse_layout(query.node, query);
    const Tensor& q = query.graph[sources[0]];
    const Shape keys{q.ne[0], 1, dst.ne[0], 1};
    const Shape weights{q.ne[1], q.ne[2], 1, 1};
    const Shape queries{q.ne[0], q.ne[1], dst.ne[1], 1};
    const Shape mask{dst.ne[0], dst.ne[1], 1, 1};
    if (dst.ne[2] != 1 || dst.ne[3] != 1) return refuse_layout(query.node, query);
    return expect_shapes(query, {queries, keys, weights, mask});
}

OpSupport supports_hc_pre(const OpQuery& query) {
    if (const OpSupport refused = float_rows_support(query); !refused) return refused;
    const Tensor& dst = query.tensor();
    const std::int64_t streams = query.graph[query.graph.sources(query.node)[0]].ne[1];
    if (dst.ne[2] != 1 || dst.ne[3] != 1) return refuse_layout(query.node, query);
    return expect_shapes(query, {Shape{dst.ne[0], streams, dst.ne[1], 1}, Shape{streams, dst.ne[1], 1, 1}});
}

OpSupport supports_hc_post(const OpQuery& query) {
    if (const OpSupport refused = float_rows_support(query); !refused) return refused;
    const Shape& ne = query.tensor().ne;
    if (ne[3] != 1) return refuse_layout(query.node, query);
    return expect_shapes(
        query, {Shape{ne[0], ne[2], 1, 1}, ne, Shape{ne[1], ne[2], 1, 1}, Shape{ne[1], ne[1], ne[2], 1}});
}

OpSupport supports_hc_comb(const OpQuery& query) {
    if (const OpSupport refused = float_rows_support(query); !refused) return refused;
    const Shape& ne = query.tensor().ne;
    if (ne[0] != ne[1] || ne[3] != 1) return refuse_layout(query.node, query);
    const std::int64_t numbers = 2 * ne[0] + ne[0] * ne[0];
    return expect_shapes(query, {Shape{numbers, ne[2], 1, 1}, Shape{3, 1, 1, 1}, Shape{numbers, 1, 1, 1}});
}

std::int64_t tokens_of_comb(const OpNode& node) {
    return node.dst->ne[2];
}

}  // namespace

const OpKernel kLightningIndexer{
    .compute = compute_lightning_indexer, .supports = supports_lightning_indexer, .needed_sources = 4};
const OpKernel kHcPre{.compute = compute_hc_pre, .supports = supports_hc_pre, .needed_sources = 2};
const OpKernel kHcPost{.compute = compute_hc_post, .supports = supports_hc_post, .needed_sources = 4};
const OpKernel kHcComb{.compute = compute_hc_comb,
                       .supports = supports_hc_comb,
                       .needed_sources = 3,
                       .max_tasks = tokens_of_comb};

}  // namespace splitscope::cpu
