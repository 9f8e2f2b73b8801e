// SPDX-License-Identifier: MIT
// FLASH_ATTN_EXT: softmax(scale · k·q + slope · mask) · v without keeping the scores of all queries.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/cpu/alibi.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "backends/cpu/ops/ops.hpp"
#include "backends/cpu/rows.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cpu {
namespace {

constexpr std::int64_t kQueries = 16;  ///< of one head, computed together
constexpr std::int64_t kKeys = 32;     ///< rows of k or v expanded at a time

/// Sizes of the parts of a thread's scratch memory, in floats.
struct Scratch {
    explicit Scratch(const OpNode& node)
        : query(padded(node.src[0]->ne[0])),
          scores(padded(node.src[1]->ne[1])),
          value(padded(node.src[2]->ne[0])),
          bias(padded(std::max(node.src[3] ? node.src[3]->ne[0] : 0, node.src[1]->ne[1]))) {}
    static std::size_t padded(std::int64_t n) { return (static_cast<std::size_t>(n) + 15) / 16 * 16; }
    std::size_t expanded() const { return std::max(query, value) * kKeys; }
    std::size_t total() const { return (query + scores + value) * kQueries + bias + expanded(); }

    std::size_t query, scores, value, bias;
};

/// ggml sums F16 values in half precision, unless it cuts the queries into tiles, or the cells of one query
/// into chunks.
bool sums_in_half(const TensorRef& q, const TensorRef& k, const TensorRef& v) {
    constexpr std::int64_t kTile = 64;
    constexpr std::int64_t kCut = 512;
    if (v->type != ElementType::f16 || !has_contiguous_rows(*v)) return false;
    if (k->type != v->type) return true;
    return q->ne[1] < kTile && !(q->ne[1] == 1 && q->ne[3] == 1 && k->ne[1] >= kCut);
}

/// The score of a masked key.
constexpr float kNever = -std::numeric_limits<float>::infinity();

class Attention {
 public:
    explicit Attention(OpContext& context)
        : context_(context),
          q_(context.src(0)),
          k_(context.src(1)),
          v_(context.src(2)),
          mask_(context.src(3)),
          sinks_(context.src(4)),
          sizes_(context.node),
          scale_(context.node.param_f32(0)),
          cap_(context.node.param_f32(2)),
          slopes_(context.node.param_f32(1), q_->ne[2]),
          half_(sums_in_half(q_, k_, v_)) {
        float* memory = context.scratch.data();
        const auto take = [&memory](std::size_t floats) { return std::exchange(memory, memory + floats); };
        queries_ = take(sizes_.query * kQueries);
        scores_ = take(sizes_.scores * kQueries);
        outputs_ = take(sizes_.value * kQueries);
        bias_ = take(sizes_.bias);
        expanded_ = take(sizes_.expanded());
        if (cap_ != 0.0F) scale_ /= cap_;
    }

    /// Queries first … first + count - 1 of one head.
    void compute(std::int64_t first, std::int64_t count, std::int64_t head, std::int64_t batch) {
        first_ = first;
        count_ = count;
        head_ = head;
        batch_ = batch;
        for (std::int64_t i = 0; i < count; ++i) {
            const float* row = load_row(q_, first + i, head, batch, query(i));
            if (row != query(i)) std::copy_n(row, q_->ne[0], query(i));
            if (half_ && k_->type == ElementType::f16) {
                for (std::int64_t j = 0; j < q_->ne[0]; ++j)
                    query(i)[j] = f16_to_f32(f32_to_f16(query(i)[j]));
            }
        }
        keys_ = visible_keys();
        multiply_keys();
        if (half_) {
            for (std::int64_t i = 0; i < count; ++i) mix_in_half(i);
        } else {
            for (std::int64_t i = 0; i < count; ++i) weigh(i);
            add_values();
        }
        for (std::int64_t i = 0; i < count; ++i) store_row(context_.dst(), head, first + i, batch, output(i));
    }

 private:
    float* query(std::int64_t i) { return queries_ + static_cast<std::size_t>(i) * sizes_.query; }
    float* scores(std::int64_t i) { return scores_ + static_cast<std::size_t>(i) * sizes_.scores; }
    float* output(std::int64_t i) { return outputs_ + static_cast<std::size_t>(i) * sizes_.value; }

    static std::int64_t shared_by(const TensorRef& q, const TensorRef& kv, std::size_t d) {
        return q->ne[d] / kv->ne[d];
    }

    /// Keys up to the last one visible to a query of this group; scores of the others are not computed.
    std::int64_t visible_keys() {
        if (!mask_) return k_->ne[1];
        std::int64_t last = 0;
        for (std::int64_t i = 0; i < count_; ++i) {
            const float* bias = mask_row(i);
            for (std::int64_t key = k_->ne[1]; key > last; --key) {
                if (bias[key - 1] != kNever) last = key;
            }
        }
        return last;
    }
    const float* mask_row(std::int64_t i) {
        return load_row(mask_, first_ + i, head_ % mask_->ne[2], batch_ % mask_->ne[3], bias_);
    }

    void multiply_keys() {
        const std::int64_t i2 = head_ / shared_by(q_, k_, 2);
        const std::int64_t i3 = batch_ / shared_by(q_, k_, 3);
        kernels::FloatTile tile;
        tile.depth = k_->ne[0];
        tile.x = queries_;
        tile.x_stride = static_cast<std::ptrdiff_t>(sizes_.query);
        tile.columns = static_cast<int>(count_);
        tile.out_stride = static_cast<std::ptrdiff_t>(sizes_.scores);
        for (std::int64_t key = 0; key < keys_; key += kKeys) {
            tile.rows = static_cast<int>(std::min(kKeys, keys_ - key));
            tile.out = scores_ + key;
            const Rows rows = rows_of(k_, key, tile.rows, i2, i3);
            tile.format = rows.format;
            tile.weights = rows.data;
            tile.weights_stride = rows.stride;
            kernels::multiply_tile(tile);
        }
    }

    struct Rows {
        kernels::FloatFormat format = kernels::FloatFormat::f32;
        const std::byte* data = nullptr;
        std::ptrdiff_t stride = 0;
    };
    /// `count` ≤ kKeys rows of k or v from `key` on: as stored if the kernels support the type, else decoded.
    Rows rows_of(const TensorRef& t, std::int64_t key, std::int64_t count, std::int64_t i2, std::int64_t i3) {
        if (has_contiguous_rows(*t)) {
            if (t->type == ElementType::f32)
                return {kernels::FloatFormat::f32, t.at(key, i2, i3), signed_stride(t)};
            if (t->type == ElementType::f16)
                return {kernels::FloatFormat::f16, t.at(key, i2, i3), signed_stride(t)};
            if (t->type == ElementType::bf16)
                return {kernels::FloatFormat::bf16, t.at(key, i2, i3), signed_stride(t)};
        }
        const std::size_t width = Scratch::padded(t->ne[0]);
        for (std::int64_t r = 0; r < count; ++r) {
            float* row = expanded_ + static_cast<std::size_t>(r) * width;
            const float* values = load_row(t, key + r, i2, i3, row);
            if (values != row) std::copy_n(values, t->ne[0], row);
        }
        return {kernels::FloatFormat::f32, reinterpret_cast<const std::byte*>(expanded_),
                static_cast<std::ptrdiff_t>(width * sizeof(float))};
    }
    static std::ptrdiff_t signed_stride(const TensorRef& t) { return static_cast<std::ptrdiff_t>(t->nb[1]); }

    /// Scales, caps and masks the scores of one query.
    float* finished_scores(std::int64_t i) {
        const std::int64_t keys = keys_;
        float* s = scores(i);
        kernels::scale(s, scale_, 0.0F, s, keys);
        if (cap_ != 0.0F) {
            for (std::int64_t j = 0; j < keys; ++j) s[j] = cap_ * std::tanh(s[j]);
        }
        if (mask_) kernels::add_scaled(mask_row(i), slopes_.of_head(head_), s, keys);
        return s;
    }

    /// The whole of one query: values are summed relative to the largest score so far, and the sum is scaled
    /// down whenever that grows.
    void mix_in_half(std::int64_t i) {
        float* const s = finished_scores(i);
        // The mask was added: its memory is free.
        float* const steps = bias_;
        float largest = kNever;
        float total = 0.0F;
        for (std::int64_t key = 0; key < keys_; ++key) {
            steps[key] = s[key] == kNever ? -1.0F : 1.0F;
            if (s[key] == kNever) continue;
            if (s[key] > largest) {
                steps[key] = std::exp(largest - s[key]);
                largest = s[key];
                s[key] = 1.0F;
            } else {
                s[key] = std::exp(s[key] - largest);
            }
            total = total * steps[key] + s[key];
        }
        std::fill_n(output(i), v_->ne[0], 0.0F);
        kernels::HalfRows rows;
        rows.width = v_->ne[0];
        rows.values = v_.at(0, head_ / shared_by(q_, v_, 2), batch_ / shared_by(q_, v_, 3));
        rows.values_stride = signed_stride(v_);
        rows.rows = keys_;
        rows.weights = s;
        rows.steps = steps;
        rows.out = output(i);
        kernels::add_half_rows(rows);
        float scale = 1.0F;
        if (sinks_) {
            const auto sink = sinks_.value<float>(head_);
            scale = sink > largest ? std::exp(largest - sink) : 1.0F;
            total = total * scale + (sink > largest ? 1.0F : std::exp(sink - largest));
        }
        scale = total == 0.0F ? 0.0F : scale / total;
        kernels::scale(output(i), scale, 0.0F, output(i), v_->ne[0]);
    }

    /// Converts the scores of one query to probabilities.
    void weigh(std::int64_t i) {
        const std::int64_t keys = keys_;
        float* s = finished_scores(i);
        float largest = kernels::maximum(s, keys);
        if (sinks_) largest = std::fmax(largest, sinks_.value<float>(head_));
        if (largest == kNever) {
            std::fill_n(s, keys, 0.0F);  // everything is masked
            return;
        }
        // Weights are not 0 unless the key is masked: a value that is NaN must reach the result.
        constexpr float kNegligible = 60;
        const float least = std::isfinite(largest) ? largest - kNegligible : kNever;
        for (std::int64_t j = 0; j < keys; ++j) s[j] = s[j] < least && s[j] != kNever ? least : s[j];
        double total = kernels::exp_shifted(s, largest, s, keys);
        if (sinks_) total += static_cast<double>(std::exp(sinks_.value<float>(head_) - largest));
        kernels::scale(s, static_cast<float>(1.0 / total), 0.0F, s, keys);
    }

    void add_values() {
        const std::int64_t n = v_->ne[0];
        const std::int64_t i2 = head_ / shared_by(q_, v_, 2);
        const std::int64_t i3 = batch_ / shared_by(q_, v_, 3);
        for (std::int64_t i = 0; i < count_; ++i) std::fill_n(output(i), n, 0.0F);
        for (std::int64_t key = 0; key < keys_; key += kKeys) {
            const std::int64_t count = std::min(kKeys, keys_ - key);
            const Rows rows = rows_of(v_, key, count, i2, i3);
            kernels::WeightedRows part{rows.format,
                                       n,
                                       nullptr,
                                       rows.stride,
                                       0,
                                       nullptr,
                                       static_cast<std::ptrdiff_t>(sizes_.scores),
                                       0,
                                       nullptr,
                                       static_cast<std::ptrdiff_t>(sizes_.value)};
            for (std::int64_t r = 0; r < count;) {
                part.values = rows.data + r * rows.stride;
                part.rows = 1;
                if (seen_by_all(key + r)) {
                    while (r + part.rows < count && seen_by_all(key + r + part.rows)) ++part.rows;
                    add_rows(part, 0, static_cast<int>(count_), key + r);
                } else {
                    // Masked cells may contain anything, including NaN.
                    for (std::int64_t i = 0; i < count_; ++i) {
                        if (scores(i)[key + r] != 0.0F) add_rows(part, i, 1, key + r);
                    }
                }
                r += part.rows;
            }
        }
    }
    bool seen_by_all(std::int64_t key) {
        for (std::int64_t i = 0; i < count_; ++i) {
            if (scores(i)[key] == 0.0F) return false;
        }
        return true;
    }
    /// Adds the rows of `part` to the outputs of `count` queries.
    void add_rows(kernels::WeightedRows part, std::int64_t query, int count, std::int64_t key) {
        part.weights = scores(query) + key;
        part.out = output(query);
        part.sums = count;
        kernels::add_weighted_rows(part);
    }

    OpContext& context_;
    const TensorRef& q_;
    const TensorRef& k_;
    const TensorRef& v_;
    const TensorRef& mask_;
    const TensorRef& sinks_;
    const Scratch sizes_;
    float scale_;
    float cap_;
    AlibiSlopes slopes_;
    bool half_;
    float* queries_ = nullptr;
    float* scores_ = nullptr;
    float* outputs_ = nullptr;
    float* bias_ = nullptr;
    float* expanded_ = nullptr;
    std::int64_t first_ = 0;
    std::int64_t count_ = 0;
    std::int64_t head_ = 0;
    std::int64_t batch_ = 0;
    std::int64_t keys_ = 0;
};

void compute_flash_attention(OpContext& context) {
    const TensorRef& q = context.src(0);
    Attention attention(context);
    const std::int64_t groups = (q->ne[1] + kQueries - 1) / kQueries;
    while (const auto chunk = context.next_chunk(groups * q->ne[2] * q->ne[3])) {
        const std::int64_t first = *chunk % groups * kQueries;
        const std::int64_t plane = *chunk / groups;
        attention.compute(first, std::min(kQueries, q->ne[1] - first), plane % q->ne[2], plane / q->ne[2]);
    }
}

std::size_t flash_attention_scratch(const OpNode& node) {
    return Scratch(node).total();
}

std::int64_t flash_attention_tasks(const OpNode& node) {
    const Tensor& q = *node.src[0];
    return (q.ne[1] + kQueries - 1) / kQueries * q.ne[2] * q.ne[3];
}

}  // namespace

std::span<const KernelRow> attention_kernels() {
    static constexpr auto rows = std::to_array<KernelRow>({
        {Op::flash_attn_ext,
         {.compute = compute_flash_attention,
          .scratch_floats = flash_attention_scratch,
          .max_tasks = flash_attention_tasks}},
    });
    return rows;
}

}  // namespace splitscope::cpu
