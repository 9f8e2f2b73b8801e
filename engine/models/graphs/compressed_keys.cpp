// SPDX-License-Identifier: MIT
// Attention to a window of keys and to compressed keys, each made from several tokens; in some layers an
// indexer chooses among them. Residuals are several parallel streams, mixed by matrices per token.
#include "engine/models/compressed_keys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/models/feed_forward.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/weighted_streams.hpp"

namespace splitscope::graphs {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::array<std::int32_t, kMaxDims> kTransposed = {1, 0, 2, 3};

/// Residual streams that are mixed by matrices after each half of a block.
class MixedStreams : public WeightedStreams {
 public:
    explicit MixedStreams(ModelBuilder& b)
        : WeightedStreams(b),
          iterations_(b.keys().required("hyper_connection.sinkhorn_iterations",
                                        kMaxSinkhornIterations / b.hyperparameters().shape.layers)) {}

    /// The input of a half, the weights of its result for each stream, and the matrices that mix the streams.
    struct Read {
        TensorId mixed;
        TensorId weights;
        TensorId matrices;
    };
    Read read(TensorId x, std::int32_t layer, const std::string& part) {
        const std::int64_t rows = (2 + count_) * count_;
        const TensorId product =
            mixes(x, weight(layer, part, "fn", {count_ * b_.width(), rows, 1, 1}), "hc_mixes", layer);
        const TensorId scale = weight(layer, part, "scale", {3, 1, 1, 1});
        const TensorId base = weight(layer, part, "base", {rows, 1, 1, 1});
        const auto gate = [&](std::int64_t which) {
            return g_.unary(UnaryKind::sigmoid, scaled_mixes(product, scale, base, which, count_));
        };
        const TensorId in = b_.named(g_.scale(gate(0), 1.0F, epsilon_), "hc_pre", layer);
        const TensorId out = b_.named(g_.scale(gate(1), 2.0F), "hc_post", layer);
        TensorId matrices;
        if (b_.is_unfused(Op::dsv4_hc_comb)) {
            const TensorId flat = scaled_mixes(product, scale, base, 2, count_ * count_);
            matrices = balanced(g_.reshape(flat, {count_, count_, g_[product].ne[1], 1}));
        } else {
            matrices = g_.hc_comb(product, scale, base, epsilon_, static_cast<std::int32_t>(iterations_));
            b_.note_fused(layer, matrices);
        }
        b_.named(matrices, "hc_comb", layer);
        TensorId mixed;
        if (b_.is_unfused(Op::dsv4_hc_pre)) {
            mixed = weighted_sum(x, in);
        } else {
            mixed = g_.hc_pre(x, in);
            b_.note_fused(layer, mixed);
        }
        return {b_.named(mixed, part + "_pre", layer), out, matrices};
    }

    /// The streams `x` mixed, with `result` added to all.
    TensorId write(TensorId result, TensorId x, const Read& read, std::int32_t layer) {
        if (!b_.is_unfused(Op::dsv4_hc_post)) {
            const TensorId all = g_.hc_post(result, x, read.weights, read.matrices);
            b_.note_fused(layer, all);
            return all;
        }
        const Tensor matrices = g_[read.matrices];
        const std::int64_t tokens = g_[result].ne[1];
        TensorId all;
        for (std::int64_t to = 0; to < count_; ++to) {
            TensorId sum = g_.mul(result, weight_of(read.weights, to));
            for (std::int64_t from = 0; from < count_; ++from) {
                const TensorId share = g_.view_2d(read.matrices, 1, tokens, matrices.nb[2],
                                                  to * matrices.nb[0] + from * matrices.nb[1]);
                sum = g_.add(sum, g_.mul(stream(x, from), share));
            }
            all = joined(all, sum);
        }
        return all;
    }

    /// The output rows, as one stream.
    TensorId end(TensorId x) {
        x = keep_outputs(x);
        return b_.named(weighted_sum(x, output_weights(x)), "hc_head");
    }

 private:
    /// Matrices whose rows, then columns, are scaled to a sum of one in turn (Sinkhorn).
    TensorId balanced(TensorId x) {
        const TensorId epsilon = g_.fill(g_.new_tensor(ElementType::f32, {1, 1, 1, 1}), epsilon_);
        x = g_.add(g_.soft_max(x, {}, 1.0F), epsilon);
        for (std::uint32_t i = 0; i < iterations_; ++i) {
            if (i > 0) x = g_.div(x, g_.add(g_.sum_rows(x), epsilon));
            const TensorId columns = g_.add(g_.sum_rows(g_.cont(g_.permute(x, kTransposed))), epsilon);
            x = g_.div(x, g_.permute(columns, kTransposed));
        }
        return x;
    }

    std::uint32_t iterations_;
};

/// One kind of compressed keys: of attention or of the indexer.
struct Compressor {
    std::string name;  ///< of its steps and inputs
    std::string part;  ///< of its weights
    std::int64_t head = 0;
    bool rotates = false;  ///< keys are rotated before they are cached
    CompressedKeys cache;
    std::uint8_t index = 0;  ///< of the cache among all
};

class CompressedAttention {
 public:
    explicit CompressedAttention(ModelBuilder& b)
        : b_(b),
          g_(b.graph()),
          ratios_(b.keys().per_layer("attention.compress_ratios", b.hyperparameters().shape.layers, {})),
          streams_(b.options().sequences),
          head_(b.hyperparameters().head_k(0)),
          rotated_(b.hyperparameters().window_rope_dims),
          size_(b.keys().required("attention.indexer.key_length")) {
        const Keys& keys = b.keys();
        const Hyperparameters& h = b.hyperparameters();
        if (ratios_.empty()) keys.refuse("attention.compress_ratios", msg::kMissingOrZero);
        for (const std::uint32_t ratio : ratios_)
            if (ratio != 0 && ratio != kCompressedFew && ratio != kCompressedMany)
                keys.refuse("attention.compress_ratios", msg::kKeyValue(ratio, kCompressedMany));
        if (h.head_v(0) != h.head_k(0))
            keys.refuse("attention.value_length", msg::kKeyValue(h.head_v(0), h.head_k(0)));
        for (const std::uint32_t heads : h.kv_heads)
            if (heads != 1) keys.refuse("attention.head_count_kv", msg::kKeyValue(heads, 1));
        const bool rotates = rotates_keys();
        // Rotations of empty caches, which quantisation does not ask for, divide by zero.
        require_ratio(kCompressedFew);
        if (h.head_dim_k == size_) require_ratio(kCompressedMany);
        few_ = compressor("csa", "attn_compressor", head_, rotates, kCompressedFew);
        many_ = compressor("hca", "attn_compressor", head_, rotates, kCompressedMany);
        indexer_ = compressor("lid", "indexer_compressor", size_, true, kCompressedFew);
    }

    TensorId build(TensorId x, std::int32_t layer) {
        const auto heads = static_cast<std::int64_t>(b_.hyperparameters().heads[index(layer)]);
        const std::uint32_t ratio = ratios_[index(layer)];
        if (ratio == 0) b_.refuse_unread(layer, "attn_compressor_kv.weight");
        if (ratio != kCompressedFew) b_.refuse_unread(layer, "indexer_compressor_kv.weight");
        const std::int64_t rank = b_.keys().required("attention.q_lora_rank");
        const TensorId low = b_.block_rms_norm(b_.product(x, layer, "attn_q_a", rank, "qr"), layer,
                                               "attn_q_a_norm", "qr_norm");
        TensorId q =
            g_.reshape(b_.product(low, layer, "attn_q_b", heads * head_), {head_, heads, b_.tokens(), 1});
        q = b_.named(g_.rms_norm(q, b_.hyperparameters().rms_epsilon), "q_norm", layer);
        q = b_.named(g_.rope(q, b_.positions(), {}, rope(ratio > 0, head_)), "q", layer);
        const TensorId rows =
            b_.block_rms_norm(b_.product(x, layer, "attn_kv", head_), layer, "attn_kv_a_norm", kUnnamed);
        TensorId k = b_.named(g_.reshape(rows, {head_, 1, b_.tokens(), 1}), "kv_norm", layer);
        k = b_.named(g_.rope(k, b_.positions(), {}, rope(ratio > 0, head_)), "kv", layer);
        // The window's cache is the first of its name.
        const TensorId cache =
            b_.cache_tensor(layer, fmt::format("cache_k_l{}", layer), b_.options().cache_type_k,
                            {head_, window_context(), streams_, 1});
        TensorId mixed;
        if (ratio == kCompressedFew) {
            const TensorId keys = compress(few_, x, layer);
            const TensorId chosen = best_keys(compress(indexer_, x, layer), x, low, layer);
            mixed = attend_both(q, k, cache, keys, few_, chosen, layer);
        } else if (ratio == kCompressedMany) {
            mixed = attend_both(q, k, cache, compress(many_, x, layer), many_, {}, layer);
        } else {
            const TensorId turned = write_keys(q, k, cache);
            mixed = mix(turned, window_keys(cache), window_mask(), "attn_raw", layer);
        }
        return project(mixed, heads, ratio > 0, layer);
    }

    /// Lists the window's mask first among the inputs of attention.
    void list_mask() { g_.expand(window_mask()); }

    /// The caches, in the order of InputBinding::compressed.
    std::vector<CompressedKeys> caches() const { return {few_.cache, many_.cache, indexer_.cache}; }

 private:
    void require_ratio(std::uint32_t ratio) const {
        if (std::ranges::find(ratios_, ratio) == ratios_.end())
            b_.keys().refuse("attention.compress_ratios", msg::kNoLayerWithRatio(ratio));
    }
    static std::size_t index(std::int32_t layer) { return static_cast<std::size_t>(layer); }
    ElementType mask_type() const {
        return b_.options().flash_attention ? ElementType::f16 : ElementType::f32;
    }
    std::int64_t window_context() const { return b_.options().window_context; }

    Compressor compressor(std::string name, std::string part, std::int64_t head, bool rotates,
                          std::uint32_t ratio) {
        const CompressedKeys cache{ratio, ratio == kCompressedFew,
                                   compressed_cells(b_.options().context, ratio)};
        return {std::move(name), std::move(part), head, rotates, cache, count_++};
    }

    /// Whether keys are rotated before they are cached: to quantise them, or as the indexer's are.
    bool rotates_keys() const {
        constexpr std::int64_t kMinRotation = 64;
        const bool quantised = traits_of(b_.options().cache_type_k).quantised;
        return (quantised && head_ % kMinRotation == 0) || b_.hyperparameters().head_dim_k == size_;
    }
    /// The matrix for heads of this size; none if they are not rotated.
    TensorId rotation(ModelInput kind, std::int64_t head, bool rotates, std::uint8_t which = 0) {
        if (!rotates) return {};
        std::int64_t side = 64;
        while (head % (2 * side) == 0) side *= 2;
        return b_.input(kind, ElementType::f32, {side, side, 1, 1}, "attn_inp_k_rot", which);
    }
    TensorId rotation_of(const Compressor& c) {
        return rotation(ModelInput::compressed_rotation, c.head, c.rotates, c.index);
    }

    /// Layers with compressed keys have a base and the scaling of their own, the others no scaling.
    RopeParameters rope(bool compressed, std::int64_t head) const {
        const Hyperparameters& h = b_.hyperparameters();
        RopeParameters p = h.rope;
        p.dims = static_cast<std::int32_t>(rotated_);
        p.first = static_cast<std::int32_t>(head - rotated_);
        p.attn_factor = 1.0F;
        if (compressed) {
            p.base = b_.keys().decimal("attention.compress_rope_freq_base", 0.0F);
            if (p.ext_factor != 0.0F) p.attn_factor = 1.0F / (1.0F + 0.1F * std::log(1.0F / p.scale));
            return p;
        }
        p.scale = 1.0F;
        p.ext_factor = p.beta_fast = p.beta_slow = 0.0F;
        p.original_context = 0;
        return p;
    }

    TensorId input(const Compressor& c, ModelInput kind, ElementType type, const Shape& ne,
                   std::string_view name) {
        return b_.input(kind, type, ne, fmt::format("dsv4_{}_{}", c.name, name), c.index);
    }
    TensorId numbers(const Compressor& c, ModelInput kind, std::int64_t count, std::string_view name,
                     ElementType type = ElementType::i32) {
        return input(c, kind, type, {count, 1, 1, 1}, name);
    }
    CompressedSizes sizes(const Compressor& c) const { return compressed_sizes(c.cache, b_.options()); }
    TensorId mask(const Compressor& c, ElementType type) {
        return input(c, ModelInput::compressed_mask, type,
                     {sizes(c).visible, b_.tokens() / streams_, 1, streams_}, "kq_mask");
    }

    /// Makes the keys that the batch completes, writes them into their cache, and updates the state.
    TensorId compress(const Compressor& c, TensorId x, std::int32_t layer) {
        const CompressedSizes size = sizes(c);
        const std::int64_t width = (c.cache.overlaps ? 2 : 1) * c.head;
        const std::int64_t rows = c.cache.state_rows();
        const auto step = [&](std::string_view what) { return fmt::format("{}_state_{}", c.name, what); };
        const TensorId values = b_.product(x, layer, c.part + "_kv", width, step("kv"));
        const TensorId product = b_.product(x, layer, c.part + "_gate", width, step("score"));
        const TensorId phases = b_.block_weight(layer, c.part + "_ape.weight", {width, c.cache.ratio, 1, 1});
        const TensorId added =
            g_.get_rows(phases, numbers(c, ModelInput::compressed_phases, b_.tokens(), "state_pos"));
        const TensorId scores = b_.named(g_.add(product, added), step("score_ape"), layer);

        const auto state = [&](std::string_view what) {
            return b_.cache_tensor(layer, fmt::format("dsv4_{}_state_{}_l{}", c.name, what, layer),
                                   ElementType::f32, {width, rows, streams_, 1});
        };
        const auto all = [&](TensorId kept) {
            return g_.view_2d(kept, width, rows * streams_, g_[kept].nb[1], 0);
        };
        const auto source = [&](TensorId kept, TensorId batch) {
            const TensorId rows_of_state = all(kept);
            return g_.concat(g_.view_2d(rows_of_state, width, rows * streams_, g_[rows_of_state].nb[1], 0),
                             batch, 1);
        };
        const TensorId kept_values = state("kv");
        const TensorId kept_scores = state("score");
        TensorId keys = c.cache.overlaps
                            ? overlapping(c, source(kept_values, values), source(kept_scores, scores), layer)
                            : separate(c, source(kept_values, values), source(kept_scores, scores), layer);
        keys = finished(c, keys, layer);

        const ElementType type = b_.options().cache_type_k;
        const TensorId cache = b_.cache_tensor(layer, fmt::format("cache_k_l{}", layer), type,
                                               {c.head, c.cache.cells, streams_, 1});
        const TensorId flat =
            streams_ > 1 ? g_.reshape(cache, {c.head, c.cache.cells * streams_, 1, 1}) : cache;
        g_.expand(g_.set_rows(
            flat, g_.view_2d(keys, c.head, size.keys, g_[keys].nb[2], 0),
            numbers(c, ModelInput::compressed_cells, size.keys, "state_write_idxs", ElementType::i64)));
        const TensorId kept = numbers(c, ModelInput::compressed_kept, size.kept, "state_persist_src_idxs");
        const TensorId kept_rows =
            numbers(c, ModelInput::compressed_kept_rows, size.kept, "state_persist_dst_idxs");
        const TensorId new_values = g_.set_rows(all(kept_values), g_.get_rows(values, kept), kept_rows);
        const TensorId new_scores = g_.set_rows(all(kept_scores), g_.get_rows(scores, kept), kept_rows);
        g_.expand(new_values);
        g_.expand(new_scores);
        return cache;
    }

    TensorId reads(const Compressor& c) {
        const std::int64_t count = sizes(c).keys * (c.cache.overlaps ? 2 : 1) * c.cache.ratio;
        return numbers(c, ModelInput::compressed_reads, count, "state_read_idxs");
    }
    std::string key_name(const Compressor& c) const { return c.name + "_state_compress"; }

    /// Weighted sums of the rows of each key.
    TensorId separate(const Compressor& c, TensorId values, TensorId scores, std::int32_t layer) {
        const Shape ne{c.head, c.cache.ratio, sizes(c).keys, 1};
        const auto part = [&](TensorId rows) {
            return b_.named(g_.reshape(g_.get_rows(rows, reads(c)), ne), key_name(c), layer);
        };
        return weighted(c, part(values), part(scores), layer);
    }

    /// As above; the first halves of rows belong to the key after the one of their tokens.
    TensorId overlapping(const Compressor& c, TensorId values, TensorId scores, std::int32_t layer) {
        const std::int64_t count = c.cache.ratio * sizes(c).keys;
        const Shape ne{c.head, c.cache.ratio, sizes(c).keys, 1};
        const auto both = [&](TensorId rows, float start) {
            // A row for positions before the first token: a score of minus infinity gives it no weight.
            const TensorId first = g_.scale(g_.view_1d(rows, g_[rows].ne[0], 0), 0.0F, start);
            const TensorId padded = g_.concat(rows, g_.reshape(first, {g_[rows].ne[0], 1, 1, 1}), 1);
            const TensorId picked = g_.get_rows(padded, reads(c));
            const std::int64_t row = g_[picked].nb[1];
            const auto half = [&](std::int64_t offset) {
                return g_.reshape(g_.cont(g_.view_2d(picked, c.head, count, row, offset)), ne);
            };
            const TensorId before = b_.named(half(0), key_name(c), layer);
            return g_.concat(before, half(count * row + c.head * kFloat), 1);
        };
        return weighted(c, both(values, 0.0F), both(scores, -kInfinity), layer);
    }

    TensorId weighted(const Compressor& c, TensorId values, TensorId scores, std::int32_t layer) {
        const TensorId columns = g_.cont(g_.permute(values, kTransposed));
        const TensorId shares = g_.soft_max(g_.cont(g_.permute(scores, kTransposed)), {}, 1.0F);
        const TensorId sums = g_.sum_rows(g_.mul(columns, shares));
        return b_.named(g_.cont(g_.permute(sums, kTransposed)), key_name(c), layer);
    }

    TensorId finished(const Compressor& c, TensorId keys, std::int32_t layer) {
        keys = b_.block_rms_norm(keys, layer, c.part + "_norm", key_name(c));
        const TensorId positions =
            numbers(c, ModelInput::compressed_positions, sizes(c).keys, "state_write_pos");
        keys = b_.named(g_.rope(keys, positions, {}, rope(true, c.head)), key_name(c), layer);
        const TensorId matrix = rotation_of(c);
        return matrix.valid() ? b_.named(b_.rotate(keys, matrix), key_name(c) + "_rot", layer) : keys;
    }

    /// The cells of a cache that are read: [head, 1, cells, streams].
    TensorId cached(TensorId cache, std::int64_t cells, std::int64_t context) {
        const ElementType type = b_.options().cache_type_k;
        const std::int64_t head = g_[cache].ne[0];
        const std::int64_t row = row_bytes(type, head);
        return g_.view(cache, {head, 1, cells, streams_},
                       {traits_of(type).block_bytes, row, row, row * context}, 0);
    }
    TensorId visible_keys(const Compressor& c, TensorId cache, std::string_view name, std::int32_t layer) {
        const TensorId whole = cached(cache, c.cache.cells, c.cache.cells);
        const Tensor t = g_[whole];
        return b_.named(g_.view(whole, {t.ne[0], t.ne[1], sizes(c).visible, t.ne[3]}, t.nb, 0), name, layer);
    }

    /// The best keys of each token [count, tokens of a stream, 1, streams] by the scores of the indexer.
    TensorId best_keys(TensorId cache, TensorId x, TensorId low, std::int32_t layer) {
        const std::int64_t heads = b_.keys().required("attention.indexer.head_count");
        const std::int64_t each = b_.tokens() / streams_;
        TensorId q = g_.reshape(b_.product(low, layer, "indexer.attn_q_b", size_ * heads),
                                {size_, heads, b_.tokens(), 1});
        b_.named(q, "lid_q", layer);
        q = b_.named(g_.rope(q, b_.positions(), {}, rope(true, size_)), "lid_q_rope", layer);
        q = b_.named(b_.rotate(q, rotation_of(indexer_)), "lid_q_rot", layer);
        const float scale = 1.0F / std::sqrt(static_cast<float>(size_ * heads));
        const TensorId weights =
            b_.named(g_.scale(b_.product(x, layer, "indexer.proj", heads), scale), "lid_weights", layer);
        const TensorId keys = visible_keys(indexer_, cache, "lid_k", layer);
        const auto split = [&](TensorId all, const Shape& ne, std::size_t dim) {
            Shape nb = g_[all].nb;
            for (std::size_t d = dim + 1; d < kMaxDims; ++d) nb[d] /= streams_;
            return g_.view(all, ne, nb, 0);
        };
        const TensorId score = g_.lightning_indexer(split(q, {size_, heads, each, streams_}, 2), keys,
                                                    split(weights, {heads, each, 1, streams_}, 1),
                                                    mask(indexer_, ElementType::f16));
        b_.named(score, "lid_score_masked", layer);
        const std::int64_t most = b_.keys().required("attention.indexer.top_k");
        return b_.named(g_.cont(g_.top_k(score, std::min(g_[score].ne[0], most))), "lid_top_k", layer);
    }

    /// Writes the keys of the batch into the window's cache; returns the queries as they meet these keys.
    TensorId write_keys(TensorId q, TensorId k, TensorId cache) {
        const TensorId matrix = rotation(ModelInput::swa_rotation_k, head_, rotates_keys());
        q = b_.rotate(q, matrix);
        k = b_.rotate(k, matrix);
        g_.expand(q);
        g_.expand(k);
        const TensorId flat =
            streams_ > 1 ? g_.reshape(cache, {head_, window_context() * streams_, 1, 1}) : cache;
        const TensorId rows = g_.view_2d(k, head_, b_.tokens(), g_[k].nb[2], 0);
        g_.expand(g_.set_rows(
            flat, rows,
            b_.input(ModelInput::swa_cache_rows_k, ElementType::i64, {b_.tokens(), 1, 1, 1}, {})));
        return q;
    }
    TensorId window_keys(TensorId cache) {
        return cached(cache, b_.options().window_cells, window_context());
    }
    TensorId window_mask() {
        return b_.input(ModelInput::swa_attention_mask, mask_type(),
                        {b_.options().window_cells, b_.tokens() / streams_, 1, streams_}, "attn_inp_kq_mask");
    }

    /// Attends to the window and to the compressed keys, or only to the chosen ones of these.
    TensorId attend_both(TensorId q, TensorId k, TensorId window, TensorId keys, const Compressor& c,
                         TensorId chosen, std::int32_t layer) {
        q = write_keys(q, k, window);
        const TensorId near = b_.named(window_keys(window), c.name + "_raw_k", layer);
        const TensorId far = visible_keys(c, keys, c.name + "_comp_k", layer);
        const TensorId all = b_.named(g_.concat(near, far, 2), c.name + "_k_all", layer);
        TensorId shown = mask(c, mask_type());
        if (chosen.valid())
            shown = b_.named(b_.mask_of_chosen(shown, chosen, mask_type()), "csa_top_k_mask", layer);
        const TensorId both = b_.named(g_.concat(window_mask(), shown, 0),
                                       chosen.valid() ? "csa_lid_kq_mask" : "hca_kq_mask", layer);
        return mix(q, all, both, chosen.valid() ? "attn_csa_lid" : "attn_hca", layer);
    }

    TensorId mix(TensorId q, TensorId keys, TensorId shown, std::string_view name, std::int32_t layer) {
        const auto heads = static_cast<std::int64_t>(b_.hyperparameters().heads[index(layer)]);
        AttendOptions options;
        options.scale = 1.0F / std::sqrt(static_cast<float>(head_));
        options.sinks = b_.block_weight(layer, "attn_sinks.weight", {heads, 1, 1, 1});
        options.name = kUnnamed;
        const TensorId query = b_.permuted_query(q, streams_);
        const TensorId mixed = b_.mix_heads(query, g_.permute(keys, kHeadsOutside),
                                            g_.permute(keys, kHeadsOutside), shown, layer, options, false);
        const TensorId matrix = rotation(ModelInput::swa_rotation_k, head_, rotates_keys());
        return b_.named(b_.rotate(mixed, matrix), name, layer);
    }

    /// The output projection: one of low rank for each group of heads, then one for all.
    TensorId project(TensorId mixed, std::int64_t heads, bool compressed, std::int32_t layer) {
        const std::int64_t groups = b_.keys().required("attention.output_group_count");
        const std::int64_t rank = b_.keys().required("attention.output_lora_rank");
        if (heads % groups != 0)
            b_.keys().refuse("attention.output_group_count", msg::kHeadsInGroups(heads, groups));
        const std::int64_t width = heads / groups * head_;
        const TensorId rows = g_.reshape(mixed, {head_, heads, b_.tokens(), 1});
        const TensorId turned =
            b_.named(g_.rope_back(rows, b_.positions(), rope(compressed, head_)), "attn_derope", layer);
        const TensorId grouped =
            g_.permute(g_.reshape(turned, {width, groups, b_.tokens(), 1}), kHeadsOutside);
        const TensorId low = b_.reshaped_weight(layer, "attn_output_a.weight", {width, rank, groups, 1});
        const TensorId product = b_.named(g_.mul_mat(low, grouped), "attn_wo_a", layer);
        const TensorId flat = g_.cont(g_.permute(product, kHeadsOutside), {rank * groups, b_.tokens(), 1, 1});
        return b_.product(flat, layer, "attn_output_b", b_.width(), "attn_out");
    }

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::vector<std::uint32_t> ratios_;
    std::int64_t streams_;
    std::int64_t head_;
    std::int64_t rotated_;  ///< elements at the end of a head
    std::int64_t size_;     ///< of a head of the indexer
    std::uint8_t count_ = 0;
    Compressor few_;
    Compressor many_;
    Compressor indexer_;
};

TensorId experts(ModelBuilder& b, TensorId x, std::int32_t layer) {
    const Keys& keys = b.keys();
    Mixture mixture = mixture_of_keys(b);
    if (mixture.routing != Routing::sqrt_softplus) keys.refuse("expert_gating_func", msg::kUnknownRouting);
    mixture.limits = {.key = "swiglu_clamp_exp", .fused = true};
    if (static_cast<std::uint32_t>(layer) < keys.number_or("hash_layer_count", 0)) {
        // The first layers have fixed experts for each token.
        b.refuse_unread(layer, mixture.selection_bias);
        const std::int64_t used = b.hyperparameters().experts_used;
        const TensorId table = b.block_weight(layer, "ffn_gate_tid2eid.weight",
                                              {used, b.hyperparameters().shape.vocabulary, 1, 1});
        mixture.chosen = b.graph().get_rows(
            table, b.input(ModelInput::tokens, ElementType::i32, {b.tokens(), 1, 1, 1}, "inp_tokens"));
    } else {
        b.refuse_unread(layer, "ffn_gate_tid2eid.weight");
        b.block_weight(layer, mixture.selection_bias, {b.hyperparameters().experts, 1, 1, 1});
    }
    FeedForward shared = shared_expert();
    shared.limits = {.key = keys.has("swiglu_clamp_shexp") ? "swiglu_clamp_shexp" : "swiglu_clamp_exp",
                     .fused = true};
    const TensorId routed = mixture_of_experts(b, x, layer, mixture);
    return b.named(b.graph().add(routed, feed_forward(b, x, layer, shared)), "ffn_out", layer);
}

}  // namespace

ModelGraph deepseek4(ModelBuilder& b) {
    GraphBuilder& g = b.graph();
    MixedStreams streams(b);
    CompressedAttention attention(b);
    TensorId x = b.embed_tokens();
    attention.list_mask();
    x = streams.begin(x);
    for (std::int32_t layer = 0; layer < b.layers(); ++layer) {
        const MixedStreams::Read first = streams.read(x, layer, "hc_attn");
        const TensorId attended = attention.build(b.block_rms_norm(first.mixed, layer, "attn_norm"), layer);
        x = b.named(streams.write(attended, x, first, layer), "hc_attn_post", layer);
        const MixedStreams::Read second = streams.read(x, layer, "hc_ffn");
        for (const TensorId id : {x, second.weights, second.matrices}) g.expand(id);
        const TensorId fed = experts(b, b.block_rms_norm(second.mixed, layer, "ffn_norm"), layer);
        x = b.named(streams.write(fed, x, second, layer), "l_last", layer);
    }
    ModelGraph graph = b.finish_with_logits(streams.end(x));
    graph.compressed = attention.caches();
    return graph;
}

}  // namespace splitscope::graphs
