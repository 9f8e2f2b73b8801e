// SPDX-License-Identifier: MIT
// SSM_CONV and SSM_SCAN: the sliding convolution and the selective scan of Mamba 1 and 2.
#include <cmath>
#include <cstring>

#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

/// out[channel, t, sequence] = Σ_k x[t + k, channel, sequence] · kernel[k, channel].
void compute_ssm_conv(OpContext& context) {
    const TensorRef& dst = context.dst();
    const TensorRef& x = context.src(0);
    const TensorRef& kernel = context.src(1);
    for_thread_rows(context, dst->ne, [&](std::int64_t t, std::int64_t sequence, std::int64_t) {
        auto* out = dst.row<float>(t, sequence, 0);
        for (std::int64_t channel = 0; channel < dst->ne[0]; ++channel) {
            const float* in = x.row<float>(channel, sequence, 0) + t;
            const float* taps = kernel.row<float>(channel, 0, 0);
            float total = 0.0F;
            for (std::int64_t k = 0; k < kernel->ne[0]; ++k) total += in[k] * taps[k];
            out[channel] = total;
        }
    });
}

OpSupport supports_ssm_conv(const OpQuery& query) {
    if (const OpSupport refused = float_rows_support(query); !refused) return refused;
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& x = query.graph[sources[0]];
    const Tensor& kernel = query.graph[sources[1]];
    const Tensor& dst = query.tensor();
    if (x.ne[1] != dst.ne[0] || x.ne[2] != dst.ne[2] || x.ne[0] < dst.ne[1] - 1 + kernel.ne[0]) {
        return refuse_layout(sources[0], query);
    }
    return kernel.ne[1] == dst.ne[0] && dst.ne[3] == 1 ? OpSupport{} : refuse_layout(sources[1], query);
}

/// state ← state · e^(dt · a) + b · x · dt; y = Σ state · c. The result holds the outputs of all tokens, then
/// the states after the last tokens, newest first.
class Scan {
 public:
    explicit Scan(OpContext& context)
        : context_(context),
          state_(context.src(0)),
          x_(context.src(1)),
          dt_(context.src(2)),
          a_(context.src(3)),
          b_(context.src(4)),
          c_(context.src(5)),
          ids_(context.src(6)),
          size_(state_->ne[0]),
          dim_(state_->ne[1]),
          heads_(state_->ne[2]),
          tokens_(x_->ne[2]),
          sequences_(x_->ne[3]),
          snapshots_(std::max<std::int64_t>(1, context.node.param(0))) {}

    void run() {
        const Range mine = context_.thread_part(heads_ * sequences_);
        for (std::int64_t i = mine.first; i < mine.last; ++i) {
            const std::int64_t sequence = i / heads_;
            const std::int64_t source = ids_.value<std::int32_t>(sequence);
            if (source < 0 || source >= state_->ne[3]) {
                context_.fail(Error(ErrorKind::range,
                                    msg::kNoSuchState(name_of(context_.dst()->op), source, state_->ne[3]),
                                    context_.dst()->name, msg::kGiveStatesInside));
                return;
            }
            for (std::int64_t row = 0; row < dim_ && !context_.should_stop(); ++row) {
                scan(row, i % heads_, sequence, source);
            }
        }
    }

 private:
    void scan(std::int64_t row, std::int64_t head, std::int64_t sequence, std::int64_t source) {
        float* state = context_.scratch.data();
        std::copy_n(state_.row<float>(row, head, source), size_, state);
        const std::int64_t group = head / (heads_ / b_->ne[1]);
        const float* a = a_.row<float>(head, 0, 0);
        const bool one_decay = a_->ne[0] == 1;
        auto* out = reinterpret_cast<float*>(context_.dst().data);
        for (std::int64_t t = 0; t < tokens_; ++t) {
            const float raw = dt_.value<float>(head, t, sequence);
            const float dt = raw <= 20.0F ? std::log1p(std::exp(raw)) : raw;
            const float x = x_.value<float>(row, head, t, sequence) * dt;
            const float* b = b_.row<float>(group, t, sequence);
            const float* c = c_.row<float>(group, t, sequence);
            const float decay = one_decay ? std::exp(dt * a[0]) : 0.0F;
            float y = 0.0F;
            for (std::int64_t k = 0; k < size_; ++k) {
                state[k] = state[k] * (one_decay ? decay : std::exp(dt * a[k])) + b[k] * x;
                y += state[k] * c[k];
            }
            out[((sequence * tokens_ + t) * heads_ + head) * dim_ + row] = y;
            const std::int64_t age = tokens_ - 1 - t;
            if (age < snapshots_) std::copy_n(state, size_, out + snapshot_at(age, row, head, sequence));
        }
    }

    std::int64_t snapshot_at(std::int64_t age, std::int64_t row, std::int64_t head,
                             std::int64_t sequence) const {
        const std::int64_t outputs = dim_ * heads_ * tokens_ * sequences_;
        return outputs + (((age * sequences_ + sequence) * heads_ + head) * dim_ + row) * size_;
    }

    OpContext& context_;
    const TensorRef& state_;
    const TensorRef& x_;
    const TensorRef& dt_;
    const TensorRef& a_;
    const TensorRef& b_;
    const TensorRef& c_;
    const TensorRef& ids_;
    std::int64_t size_, dim_, heads_, tokens_, sequences_, snapshots_;
};

void compute_ssm_scan(OpContext& context) {
    Scan(context).run();
}

OpSupport supports_ssm_scan(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& dst = query.tensor();
    for (std::size_t i = 0; i < 6; ++i) {
        if (query.graph[sources[i]].type != ElementType::f32) return refuse_type(sources[i], query);
        if (!has_float_rows(query.graph[sources[i]])) return refuse_layout(sources[i], query);
    }
    const auto tensor = [&](std::size_t i) -> const Tensor& { return query.graph[sources[i]]; };
    if (tensor(6).type != ElementType::i32) return refuse_type(sources[6], query);
    if (dst.type != ElementType::f32) return refuse_type(query.node, query);
    // Snapshots are only for Mamba 2, which has one decay per head.
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

std::size_t ssm_scan_scratch(const OpNode& node) {
    return static_cast<std::size_t>(node.src[0]->ne[0]);
}
std::int64_t ssm_scan_tasks(const OpNode& node) {
    return node.src[0]->ne[2] * node.src[1]->ne[3];
}

}  // namespace

const OpKernel kSsmConv{.compute = compute_ssm_conv, .supports = supports_ssm_conv, .needed_sources = 2};
const OpKernel kSsmScan{.compute = compute_ssm_scan,
                        .supports = supports_ssm_scan,
                        .needed_sources = 7,
                        .scratch_floats = ssm_scan_scratch,
                        .max_tasks = ssm_scan_tasks};

}  // namespace splitscope::cpu
