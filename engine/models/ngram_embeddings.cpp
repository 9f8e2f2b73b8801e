// SPDX-License-Identifier: MIT
#include "engine/models/ngram_embeddings.hpp"

#include <cmath>
#include <limits>

#include "engine/models/messages.hpp"

namespace splitscope {
namespace {

/// As many as llama.cpp has room for.
constexpr std::uint32_t kLongestNgram = 8;
constexpr std::uint32_t kMaxHeads = 64;
/// Graphs have operations for each; real models have four.
constexpr std::uint64_t kMaxTaps = 1024;

}  // namespace

NgramEmbeddings::NgramEmbeddings(ModelBuilder& builder) : b_(builder), g_(builder.graph()) {
    const Keys& keys = b_.keys();
    const std::vector<std::uint32_t> layers = keys.numbers("ple.layers");
    if (layers.empty()) return;
    if (layers.size() > 1) keys.refuse("ple.layers", msg::kKeyEntries(layers.size(), 1));
    if (layers[0] >= b_.hyperparameters().shape.layers) keys.refuse("ple.layers", msg::kEntryOutOfRange);
    layer_ = static_cast<std::int32_t>(layers[0]);
    taps_ = keys.required("ple.conv_kernel", kMaxTaps);
    length_ = keys.required("embedding_length_per_layer_input");
    streams_ = keys.required("hyper_connection.count");
    hash_ = read_hash();
}

NgramHash NgramEmbeddings::read_hash() const {
    const Keys& keys = b_.keys();
    NgramHash hash;
    hash.longest = keys.required("ple.ngram_size");
    if (hash.longest < 2 || hash.longest > kLongestNgram)
        keys.refuse("ple.ngram_size", msg::kEntryOutOfRange);
    hash.heads_per_length = keys.required("ple.heads_per_ngram");
    if (hash.heads_per_length > kMaxHeads / (hash.longest - 1))
        keys.refuse("ple.heads_per_ngram", msg::kEntryOutOfRange);
    const auto boundary = keys.number("ple.eos_token_id");
    if (!boundary) keys.refuse("ple.eos_token_id", msg::kKeyMissing);
    hash.boundary = static_cast<std::int32_t>(*boundary);
    hash.factors = keys.wide_numbers("ple.layer_multipliers", hash.longest);
    const auto offsets = keys.wide_numbers("ple.head_offsets", hash.heads());
    const auto sizes = keys.wide_numbers("ple.head_vocab_sizes", hash.heads());
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    for (std::uint32_t head = 0; head < hash.heads(); ++head) {
        if (sizes[head] == 0 || sizes[head] > kMax || offsets[head] > kMax - sizes[head])
            keys.refuse("ple.head_vocab_sizes", msg::kEntryOutOfRange);
        hash.offsets.push_back(static_cast<std::uint32_t>(offsets[head]));
        hash.sizes.push_back(static_cast<std::uint32_t>(sizes[head]));
    }
    return hash;
}

void NgramEmbeddings::embed() {
    if (layer_ < 0) return;
    const std::string table = "per_layer_token_embd.weight";
    const std::int64_t rows = b_.rows_of(table);
    for (std::uint32_t head = 0; head < hash_.heads(); ++head) {
        if (rows < std::int64_t{hash_.offsets[head]} + hash_.sizes[head])
            b_.keys().refuse("ple.head_vocab_sizes", msg::kMoreThan(hash_.sizes[head], rows));
    }
    const auto heads = std::int64_t{hash_.heads()};
    const TensorId numbers =
        b_.input(ModelInput::ngram_rows, ElementType::i32, {heads * b_.tokens(), 1, 1, 1}, {});
    const TensorId found = g_.get_rows(b_.input_weight(table, {length_, rows, 1, 1}), numbers);
    rows_ = b_.named(g_.reshape(found, {length_ * heads, b_.tokens(), 1, 1}), "ple_embd");
    b_.hash_ngrams(hash_);
    g_.expand(rows_);
}

TensorId NgramEmbeddings::normalised(TensorId x, const char* weight) {
    const TensorId by_stream = g_.reshape(x, {b_.width(), streams_, b_.tokens(), 1});
    return g_.mul(g_.rms_norm(by_stream, b_.hyperparameters().rms_epsilon),
                  b_.reshaped_weight(layer_, weight, {b_.width(), streams_, 1, 1}));
}

TensorId NgramEmbeddings::add_to(TensorId x, RecurrentStates& states) {
    constexpr float kSmallest = 1e-6F;
    const std::int64_t width = b_.width();
    TensorId key = b_.product(rows_, layer_, "ple_key", width * streams_);
    const TensorId value = b_.product(rows_, layer_, "ple_value", width);
    key = normalised(key, "ple_norm_key.weight");
    const TensorId query = normalised(x, "ple_norm_query.weight");
    const TensorId sums = g_.sum_rows(g_.mul(key, query));
    const TensorId score = g_.scale(sums, 1.0F / std::sqrt(static_cast<float>(width)));
    // The root of the score, with its sign.
    const TensorId size =
        g_.sqrt(g_.clamp(g_.unary(UnaryKind::abs, score), kSmallest, std::numeric_limits<float>::infinity()));
    const TensorId gate = g_.unary(UnaryKind::sigmoid, g_.mul(g_.unary(UnaryKind::sgn, score), size));
    b_.named(gate, "ple_gate", layer_);
    const TensorId one = g_.reshape(value, {width, 1, b_.tokens(), 1});
    const TensorId gated = g_.mul(g_.repeat(one, {width, streams_, b_.tokens(), 1}), gate);
    b_.named(gated, "ple_gated_value", layer_);
    const TensorId flat = g_.reshape(gated, {width * streams_, b_.tokens(), 1, 1});
    TensorId sum = convolve(normalised(flat, "ple_norm_conv.weight"), states);
    sum = g_.cont(g_.unary(UnaryKind::silu, sum));
    sum = b_.named(g_.reshape(sum, {width, streams_, b_.tokens(), 1}), "ple_conv_out", layer_);
    return g_.add(x, g_.add(gated, sum));
}

TensorId NgramEmbeddings::convolve(TensorId x, RecurrentStates& states) {
    const std::int64_t channels = b_.width() * streams_;
    const std::int64_t distance = hash_.longest;
    const std::int64_t columns = (taps_ - 1) * distance;
    const std::int64_t each = states.tokens_per_sequence();
    const TensorId rows = g_.reshape(x, {channels, b_.tokens(), 1, 1});
    const TensorId all = states.tensor(layer_, "ple_r", columns * channels);
    const TensorId window = states.window(states.by_sequence(rows), all, columns, layer_);
    const TensorId kernel = b_.block_weight(layer_, "ple_conv1d.weight", {taps_, channels, 1, 1});
    const Tensor w = g_[window];
    const Tensor k = g_[kernel];
    TensorId sum;
    for (std::int64_t tap = 0; tap < taps_; ++tap) {
        const TensorId part =
            g_.view_3d(window, each, channels, states.sequences(), w.nb[1], w.nb[2], tap * distance * kFloat);
        const TensorId shifted = g_.cont(g_.transpose(part));
        TensorId factors = g_.cont(g_.view_2d(kernel, 1, channels, k.nb[1], tap * k.nb[0]));
        factors = g_.reshape(factors, {channels, 1, 1, 1});
        if (k.type != ElementType::f32) factors = g_.cast(factors, ElementType::f32);
        const TensorId term = g_.mul(shifted, factors);
        sum = sum.valid() ? g_.add(sum, term) : term;
    }
    return sum;
}

std::vector<std::int32_t> ngram_rows(const NgramHash& hash, const BatchPosition& batch) {
    std::vector<std::int32_t> rows;
    const std::size_t before = batch.earlier.size();
    const auto token_at = [&](std::size_t i) {
        return i < before ? batch.earlier[i] : batch.tokens[i - before];
    };
    std::vector<std::int64_t> last(hash.longest);
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::size_t own = before + token;
        last[0] = token_at(own);
        // A boundary before the token replaces itself and everything before it.
        bool ended = false;
        for (std::size_t back = 1; back < last.size(); ++back) {
            ended = ended || own < back || token_at(own - back) == hash.boundary;
            last[back] = ended ? hash.boundary : token_at(own - back);
        }
        std::uint64_t mixed = static_cast<std::uint64_t>(last[0]) * hash.factors[0];
        for (std::uint32_t length = 2; length <= hash.longest; ++length) {
            mixed ^= static_cast<std::uint64_t>(last[length - 1]) * hash.factors[length - 1];
            for (std::uint32_t i = 0; i < hash.heads_per_length; ++i) {
                const std::uint32_t head = (length - 2) * hash.heads_per_length + i;
                rows.push_back(static_cast<std::int32_t>(mixed % hash.sizes[head] + hash.offsets[head]));
            }
        }
    }
    return rows;
}

}  // namespace splitscope
