// SPDX-License-Identifier: MIT
// LIGHTNING_INDEXER, and the hyper-connections DSV4_HC_PRE, DSV4_HC_POST, DSV4_HC_COMB: a token's residual is
// several parallel streams, mixed by small matrices.
#include <algorithm>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/ops/params.hpp"

namespace splitscope::cpu {
namespace {

/// score[key, token] = Σ_head weight · relu(q · k) + mask.
void compute_lightning_indexer(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& q = context.src(0);
    const TensorRef& k = context.src(1);
    const TensorRef& weights = context.src(2);
    const TensorRef& mask = context.src(3);
    for_thread_rows(context, dst->ne, [&](std::int64_t token, std::int64_t, std::int64_t stream) {
        const float* bias = load_row(mask, token, 0, stream, scratch_row(context, 0));
        const auto* weight = weights.row<float>(token, 0, stream);
        auto* out = dst.row<float>(token, 0, stream);
        for (std::int64_t key = 0; key < dst->ne[0]; ++key) {
            const float* values = load_row(k, 0, key, stream, scratch_row(context, 1));
            float total = 0.0F;
            for (std::int64_t head = 0; head < q->ne[1]; ++head) {
                const float score = kernels::dot(q.row<float>(head, token, stream), values, q->ne[0]);
                total += weight[head] * std::max(score, 0.0F);
            }
            out[key] = total + bias[key];
        }
    });
}

/// Streams weighted and added: [n, streams, tokens] → [n, tokens]. With gates, each element has its own
/// weight.
void compute_hc_pre(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& x = context.src(0);
    const bool gated = gates_streams(*dst);
    // Weights already include it.
    const float scale = gated ? context.node.param_f32(0) : 1.0F;
    for_thread_rows(context, dst->ne, [&](std::int64_t token, std::int64_t, std::int64_t) {
        auto* out = dst.row<float>(token, 0, 0);
        std::fill_n(out, dst->ne[0], 0.0F);
        for (std::int64_t h = 0; h < x->ne[1]; ++h) {
            const auto* values = x.row<float>(h, token, 0);
            if (!gated) {
                kernels::add_scaled(values, context.src(1).value<float>(h, token), out, dst->ne[0]);
                continue;
            }
            const auto* gates = context.src(1).row<float>(h, token, 0);
            for (std::int64_t i = 0; i < dst->ne[0]; ++i) out[i] += values[i] / (1.0F + std::exp(-gates[i]));
        }
        if (scale != 1.0F) kernels::scale(out, scale, 0.0F, out, dst->ne[0]);
    });
}

/// A block's output spread over the streams, plus the streams mixed with each other.
void compute_hc_post(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& y = context.src(0);
    const TensorRef& x = context.src(1);
    const TensorRef& spread = context.src(2);
    const bool mixes = static_cast<bool>(context.src(3));
    for_thread_rows(context, dst->ne, [&](std::int64_t h, std::int64_t token, std::int64_t) {
        auto* out = dst.row<float>(h, token, 0);
        kernels::scale(y.row<float>(token, 0, 0), spread.value<float>(h, token), 0.0F, out, dst->ne[0]);
        if (!mixes) {
            kernels::add_scaled(x.row<float>(h, token, 0), 1.0F, out, dst->ne[0]);
            return;
        }
        const TensorRef& mix = context.src(3);
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

std::int64_t tokens_of_comb(const OpNode& node) {
    return node.dst->ne[2];
}

}  // namespace

std::span<const KernelRow> deepseek_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::lightning_indexer, {.compute = compute_lightning_indexer}},
        {Op::dsv4_hc_pre, {.compute = compute_hc_pre}},
        {Op::dsv4_hc_post, {.compute = compute_hc_post}},
        {Op::dsv4_hc_comb, {.compute = compute_hc_comb, .max_tasks = tokens_of_comb}},
    });
    return rows;
}

}  // namespace splitscope::cpu
