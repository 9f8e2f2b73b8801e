// SPDX-License-Identifier: MIT
// SSM_CONV and SSM_SCAN: the sliding convolution and the selective scan of Mamba 1 and 2.
#include <array>
#include <cmath>

#include "backends/cpu/messages.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/support/error.hpp"

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

std::size_t ssm_scan_scratch(const OpNode& node) {
    return static_cast<std::size_t>(node.src[0]->ne[0]);
}
std::int64_t ssm_scan_tasks(const OpNode& node) {
    return node.src[0]->ne[2] * node.src[1]->ne[3];
}

}  // namespace

std::span<const KernelRow> state_space_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::ssm_conv, {.compute = compute_ssm_conv}},
        {Op::ssm_scan,
         {.compute = compute_ssm_scan, .scratch_floats = ssm_scan_scratch, .max_tasks = ssm_scan_tasks}},
    });
    return rows;
}

}  // namespace splitscope::cpu
