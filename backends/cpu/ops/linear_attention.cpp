// SPDX-License-Identifier: MIT
// Recurrent attention with a square state for each head: RWKV_WKV6, RWKV_WKV7, GATED_LINEAR_ATTN and
// GATED_DELTA_NET. Each result holds the outputs of all tokens, then the states.
#include <algorithm>
#include <array>
#include <cmath>

#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"

namespace splitscope::cpu {
namespace {

/// Shapes of the first three: sources [head size, heads, tokens], with the tokens of all sequences
/// concatenated.
struct Recurrence {
    explicit Recurrence(const OpContext& context, std::size_t state_source)
        : size(context.src(0)->ne[0]),
          heads(context.src(0)->ne[1]),
          sequences(context.src(state_source)->ne[1]),
          tokens(context.src(0)->ne[2] / sequences),
          initial(reinterpret_cast<const float*>(context.src(state_source).data)),
          out(reinterpret_cast<float*>(context.dst().data)),
          states(out + size * heads * tokens * sequences) {}

    /// Calls step(state, token, head, output) for each token in order, for this thread's heads.
    template <class Step>
    void run(const OpContext& context, Step&& step) const {
        const Range mine = context.thread_part(heads * sequences);
        for (std::int64_t i = mine.first; i < mine.last; ++i) {
            float* state = states + i * size * size;
            std::copy_n(initial + i * size * size, size * size, state);
            for (std::int64_t t = 0; t < tokens && !context.should_stop(); ++t) {
                const std::int64_t token = i / heads * tokens + t;
                step(state, token, i % heads, out + (token * heads + i % heads) * size);
            }
        }
    }

    std::int64_t size, heads, sequences, tokens;
    const float* initial;
    float* out;
    float* states;
};

/// State rows belong to keys. The current token gets an additional bonus.
void compute_wkv6(OpContext& context) {
    const Recurrence r(context, 5);
    r.run(context, [&](float* state, std::int64_t token, std::int64_t head, float* out) {
        const float* k = context.src(0).row<float>(head, token, 0);
        const float* v = context.src(1).row<float>(head, token, 0);
        const float* receptance = context.src(2).row<float>(head, token, 0);
        const float* bonus = context.src(3).row<float>(head, 0, 0);
        const float* decay = context.src(4).row<float>(head, token, 0);
        std::fill_n(out, r.size, 0.0F);
        for (std::int64_t i = 0; i < r.size; ++i) {
            float* row = state + i * r.size;
            for (std::int64_t j = 0; j < r.size; ++j) {
                const float product = k[i] * v[j];
                out[j] += receptance[i] * (product * bonus[i] + row[j]);
                row[j] = row[j] * decay[i] + product;
            }
        }
    });
}

void compute_gated_linear_attention(OpContext& context) {
    const Recurrence r(context, 4);
    const float scale = context.node.param_f32(0);
    r.run(context, [&](float* state, std::int64_t token, std::int64_t head, float* out) {
        const float* k = context.src(0).row<float>(head, token, 0);
        const float* v = context.src(1).row<float>(head, token, 0);
        const float* q = context.src(2).row<float>(head, token, 0);
        const float* gate = context.src(3).row<float>(head, token, 0);
        std::fill_n(out, r.size, 0.0F);
        for (std::int64_t i = 0; i < r.size; ++i) {
            float* row = state + i * r.size;
            for (std::int64_t j = 0; j < r.size; ++j) row[j] = row[j] * gate[i] + k[i] * v[j];
            kernels::add_scaled(row, q[i] * scale, out, r.size);
        }
    });
}

/// State rows belong to values.
void compute_wkv7(OpContext& context) {
    const Recurrence r(context, 6);
    r.run(context, [&](float* state, std::int64_t token, std::int64_t head, float* out) {
        const auto source = [&](std::size_t i) -> const float* {
            return context.src(i).row<float>(head, token, 0);
        };
        const float* receptance = source(0);
        const float* decay = source(1);
        const float* k = source(2);
        const float* v = source(3);
        const float* a = source(4);
        const float* b = source(5);
        for (std::int64_t i = 0; i < r.size; ++i) {
            float* row = state + i * r.size;
            const float removed = kernels::dot(a, row, r.size);
            for (std::int64_t j = 0; j < r.size; ++j)
                row[j] = row[j] * decay[j] + v[i] * k[j] + removed * b[j];
            out[i] = kernels::dot(row, receptance, r.size);
        }
    });
}

/// The state (values × keys, keys contiguous) decays by a gate, then learns its prediction error. States
/// after the last tokens follow the outputs, newest first.
void compute_gated_delta_net(OpContext& context) {
    const TensorRef& q = context.src(0);
    const TensorRef& k = context.src(1);
    const TensorRef& v = context.src(2);
    const TensorRef& gate = context.src(3);
    const TensorRef& beta = context.src(4);
    const std::int64_t size = v->ne[0];
    const std::int64_t heads = v->ne[1];
    const std::int64_t tokens = v->ne[2];
    const std::int64_t sequences = v->ne[3];
    const std::int64_t snapshots = std::max<std::int64_t>(1, context.node.param(0));
    const float scale = 1.0F / std::sqrt(static_cast<float>(size));
    auto* out = reinterpret_cast<float*>(context.dst().data);
    float* states = out + size * heads * tokens * sequences;
    float* state = context.scratch.data();
    float* decay = state + size * size;
    const Range mine = context.thread_part(heads * sequences);
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
        const std::int64_t head = i % heads;
        const std::int64_t sequence = i / heads;
        std::copy_n(reinterpret_cast<const float*>(context.src(5).data) + i * size * size, size * size,
                    state);
        for (std::int64_t t = 0; t < tokens && !context.should_stop(); ++t) {
            const float* key = k.row<float>(head % k->ne[1], t, sequence);
            const float* query = q.row<float>(head % q->ne[1], t, sequence);
            const float* value = v.row<float>(head, t, sequence);
            const float* g = gate.row<float>(head, t, sequence);
            const float rate = beta.value<float>(0, head, t, sequence);
            for (std::int64_t j = 0; j < size; ++j) decay[j] = std::exp(gate->ne[0] == 1 ? g[0] : g[j]);
            float* result = out + ((sequence * tokens + t) * heads + head) * size;
            for (std::int64_t row = 0; row < size; ++row) {
                float* cells = state + row * size;
                kernels::multiply(cells, decay, cells, size);
                const float wrong = (value[row] - kernels::dot(cells, key, size)) * rate;
                kernels::add_scaled(key, wrong, cells, size);
                result[row] = kernels::dot(cells, query, size) * scale;
            }
            const std::int64_t age = tokens - 1 - t;
            if (age < snapshots) {
                std::copy_n(state, size * size,
                            states + ((age * sequences + sequence) * heads + head) * size * size);
            }
        }
    }
}

std::int64_t heads_and_sequences(const OpNode& node) {
    const Tensor& state = *node.src[node.dst->op == Op::rwkv_wkv6   ? 5
                                    : node.dst->op == Op::rwkv_wkv7 ? 6
                                                                    : 4]
                               .tensor;
    return node.src[0]->ne[1] * state.ne[1];
}

std::int64_t delta_net_tasks(const OpNode& node) {
    return node.src[2]->ne[1] * node.src[2]->ne[3];
}

std::size_t delta_net_scratch(const OpNode& node) {
    const auto size = static_cast<std::size_t>(node.src[2]->ne[0]);
    return size * size + size;
}

}  // namespace

std::span<const KernelRow> linear_attention_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::rwkv_wkv6, {.compute = compute_wkv6, .max_tasks = heads_and_sequences}},
        {Op::rwkv_wkv7, {.compute = compute_wkv7, .max_tasks = heads_and_sequences}},
        {Op::gated_linear_attn,
         {.compute = compute_gated_linear_attention, .max_tasks = heads_and_sequences}},
        {Op::gated_delta_net,
         {.compute = compute_gated_delta_net,
          .scratch_floats = delta_net_scratch,
          .max_tasks = delta_net_tasks}},
    });
    return rows;
}

}  // namespace splitscope::cpu
