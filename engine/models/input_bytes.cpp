// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/formats/messages.hpp"
#include "engine/models/compressed_keys.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/model.hpp"
#include "engine/models/ngram_embeddings.hpp"
#include "engine/models/pooled_blocks.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/half.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Window and cache use of the layers that read an input.
struct Reach {
    WindowKind window_kind;
    bool causal;
    bool distances;                       ///< visible cells are biased by their distance
    bool cached;                          ///< without a cache tokens see those of their batch only
    std::optional<std::uint64_t> window;  ///< positions, the own one included
    std::uint64_t ring;                   ///< cells of the cache, used in turn

    /// The range of positions visible to a token at `position`.
    std::pair<std::uint64_t, std::uint64_t> range(std::uint64_t position, std::uint64_t first,
                                                  std::uint64_t last) const {
        std::uint64_t begin = cached ? 0 : first;
        std::uint64_t end = causal ? position + 1 : last;
        if (!window) return {begin, end};
        switch (window_kind) {
            case WindowKind::chunked:
                begin = std::max(begin, position / *window * *window);
                break;
            case WindowKind::symmetric:
                begin = std::max(begin, position - std::min(position, *window / 2));
                end = std::min(end, position + *window / 2 + 1);
                break;
            case WindowKind::standard:
            case WindowKind::none:
                begin = std::max(begin, position + 1 - std::min(position + 1, *window));
                break;
        }
        return {begin, end};
    }
};

/// 0 (or the negative distance) for visible cells, -infinity for others.
template <class T, class Convert>
std::vector<std::byte> attention_mask(const Tensor& mask, const BatchPosition& batch, const Reach& reach,
                                      const Convert& convert) {
    std::vector<T> values(static_cast<std::size_t>(element_count(mask)),
                          convert(-std::numeric_limits<float>::infinity()));
    const auto columns = static_cast<std::uint64_t>(mask.ne[0]);
    const std::uint64_t first = batch.first_position;
    const std::uint64_t last = first + batch.tokens.size();
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::uint64_t own = first + token;
        const auto [begin, end] = reach.range(own, first, last);
        if (reach.cached && last - begin > std::min(reach.ring, columns)) {
            throw Error(ErrorKind::range,
                        msg::kWindowDoesNotFit(reach.ring, reach.window.value_or(0), batch.tokens.size()),
                        mask.name, msg::kGiveWindowMoreCells);
        }
        for (std::uint64_t position = begin; position < end; ++position) {
            const std::uint64_t cell = reach.cached ? position % reach.ring : position - first;
            const auto distance = static_cast<float>(position > own ? position - own : own - position);
            values[token * columns + cell] = convert(reach.distances ? -distance : 0.0F);
        }
    }
    return as_bytes(values);
}

std::vector<std::byte> attention_mask(const Tensor& mask, const BatchPosition& batch, const Reach& reach) {
    if (mask.type == ElementType::f16)
        return attention_mask<std::uint16_t>(mask, batch, reach, [](float x) { return f32_to_f16(x); });
    return attention_mask<float>(mask, batch, reach, [](float x) { return x; });
}

Reach reach_of(const ModelGraph& graph, ModelInput input) {
    const bool slides = input == ModelInput::swa_attention_mask || input == ModelInput::swa_cache_rows_k ||
                        input == ModelInput::swa_cache_rows_v;
    const ModelGraphOptions& options = graph.options;
    const bool own_size = slides && options.window_context > 0;
    return {graph.window_kind,
            graph.causal,
            graph.distances,
            !graph.caches.empty(),
            slides ? graph.window : std::nullopt,
            own_size ? options.window_context : options.context};
}

/// For each token, a mask over positions or a bias over blocks of positions.
std::vector<float> position_values(const Tensor& t, const BatchPosition& batch, const ModelGraph& graph,
                                   bool blocks) {
    const auto columns = static_cast<std::size_t>(t.ne[0]);
    constexpr float kFirst = 1e30F;
    std::vector<float> values(columns * batch.tokens.size(),
                              blocks ? 0.0F : -std::numeric_limits<float>::infinity());
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::size_t own = batch.first_position + token;
        float* row = values.data() + token * columns;
        if (!blocks) {
            std::fill_n(row, std::min(own + 1, columns), 0.0F);
            continue;
        }
        const std::size_t last = own / graph.block_size;
        for (std::size_t i = 0; i < graph.local_blocks && i <= last; ++i)
            if (last - i < columns) row[last - i] = kFirst;
    }
    return values;
}

/// Cell numbers, which equal positions here, divided by `size`.
std::vector<std::byte> position_numbers(const Tensor& t, const BatchPosition& batch, std::uint32_t size) {
    const std::size_t used = batch.first_position + batch.tokens.size();
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(t.ne[0]), 0);
    for (std::size_t i = 0; i < std::min(used, numbers.size()); ++i)
        numbers[i] = static_cast<std::int32_t>(i / size);
    if (t.type == ElementType::f32) return as_bytes(std::vector<float>(numbers.begin(), numbers.end()));
    return as_bytes(numbers);
}

/// One position per section; text has no fourth.
std::vector<std::int32_t> positions_of(const BatchPosition& batch, std::size_t count) {
    const std::size_t tokens = batch.tokens.size();
    std::vector<std::int32_t> positions(count, 0);
    for (std::size_t i = 0; i < std::min(count, tokens * 3); ++i)
        positions[i] = static_cast<std::int32_t>(batch.first_position + i % tokens);
    return positions;
}

/// The orthonormal Hadamard matrix of this size.
std::vector<float> hadamard(std::size_t size) {
    std::vector<float> values(size * size);
    const float unit = 1.0F / std::sqrt(static_cast<float>(size));
    for (std::size_t row = 0; row < size; ++row) {
        for (std::size_t column = 0; column < size; ++column)
            values[row * size + column] = std::popcount(row & column) % 2 == 0 ? unit : -unit;
    }
    return values;
}

/// Grows logarithmically, in steps.
std::vector<float> scales_of(const AttentionScale& growth, const BatchPosition& batch) {
    // llama.cpp loads files without the key, but aborts here.
    if (growth.floor == 0)
        throw Error(ErrorKind::bad_file, msg::kMissingOrZero, "attention.temperature_length",
                    msg::kConvertAgain);
    std::vector<float> values(batch.tokens.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto position = static_cast<double>(batch.first_position + i);
        const double step = std::floor((position + growth.offset) / growth.floor);
        values[i] = static_cast<float>(std::log(step + 1.0) * growth.factor + 1.0);
    }
    return values;
}

/// The class of a distance: small ones have one class each, larger ones share classes logarithmically.
/// Without causality, the two directions have separate classes.
std::int32_t bucket_of(std::int64_t from, std::int64_t to, std::int32_t classes, bool both_sides) {
    constexpr double kFarthest = 128.0;
    if (both_sides) classes /= 2;
    const std::int32_t exact = classes / 2;
    std::int64_t distance = from - to;
    std::int32_t bucket = 0;
    if (both_sides) {
        if (distance > 0) bucket = classes;
        distance = std::abs(distance);
    } else {
        distance = -std::min<std::int64_t>(distance, 0);
    }
    if (distance < exact) return bucket + static_cast<std::int32_t>(distance);
    const double share = std::log(static_cast<float>(static_cast<double>(distance) / exact)) *
                         static_cast<float>(classes - exact) / std::log(kFarthest / exact);
    return bucket +
           std::min(static_cast<std::int32_t>(std::floor(static_cast<float>(exact + share))), classes - 1);
}

std::vector<std::int32_t> buckets_of(const Tensor& t, const BatchPosition& batch, const Reach& reach,
                                     std::int32_t classes) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(element_count(t)));
    const auto columns = static_cast<std::size_t>(t.ne[0]);
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::int64_t own = std::int64_t{batch.first_position} + static_cast<std::int64_t>(token);
        for (std::size_t cell = 0; cell < columns; ++cell) {
            const auto other = static_cast<std::int64_t>(cell + (reach.cached ? 0 : batch.first_position));
            values[token * columns + cell] = bucket_of(other, own, classes, !reach.cached);
        }
    }
    return values;
}

/// How fast each head decays: a geometric series, completed by every other number of the next finer one.
std::vector<float> slopes_of(std::size_t heads) {
    const std::size_t whole = std::bit_floor(heads);
    std::vector<float> slopes(heads);
    for (std::size_t h = 0; h < heads; ++h) {
        const auto step = static_cast<float>(h < whole ? 2 * (h + 1) : 2 * (h - whole) + 1);
        slopes[h] = std::exp2(-4.0F * step / static_cast<float>(whole));
    }
    return slopes;
}

/// The exponents of the decays, for a single sequence.
std::vector<float> decays_of(const Tensor& t, ModelInput input) {
    const bool mutual = input == ModelInput::mutual_decays;
    const auto heads = static_cast<std::size_t>(t.ne[mutual ? 2 : 1]);
    const auto tokens = static_cast<std::size_t>(mutual ? t.ne[0] : t.ne[2]);
    const std::vector<float> slopes = slopes_of(heads);
    std::vector<float> values(static_cast<std::size_t>(element_count(t)),
                              -std::numeric_limits<float>::infinity());
    for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t token = 0; token < tokens; ++token) {
            if (mutual) {
                float* row = values.data() + (h * tokens + token) * tokens;
                for (std::size_t key = 0; key <= token; ++key)
                    row[key] = -slopes[h] * static_cast<float>(token - key);
                continue;
            }
            const std::size_t steps = input == ModelInput::query_decays ? token + 1 : tokens - 1 - token;
            values[token * heads + h] = -slopes[h] * static_cast<float>(steps);
        }
    }
    return values;
}

/// 0 for visible keys, -infinity for others.
template <class T, class Convert>
std::vector<std::byte> mask_of_keys(const Tensor& mask, const std::vector<std::uint32_t>& visible,
                                    const Convert& convert) {
    const auto columns = static_cast<std::size_t>(mask.ne[0]);
    std::vector<T> values(static_cast<std::size_t>(element_count(mask)),
                          convert(-std::numeric_limits<float>::infinity()));
    for (std::size_t token = 0; token < visible.size(); ++token)
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(token * columns),
                    std::min<std::size_t>(visible[token], columns), convert(0.0F));
    return as_bytes(values);
}

std::vector<std::byte> compressed_bytes(const Tensor& t, ModelInput input, const CompressedRows& rows) {
    switch (input) {
        case ModelInput::compressed_phases:
            return as_bytes(rows.phases);
        case ModelInput::compressed_kept:
            return as_bytes(rows.kept);
        case ModelInput::compressed_kept_rows:
            return as_bytes(rows.kept_rows);
        case ModelInput::compressed_reads:
            return as_bytes(rows.reads);
        case ModelInput::compressed_cells:
            return as_bytes(rows.cells);
        case ModelInput::compressed_positions:
            return as_bytes(rows.positions);
        default:
            break;
    }
    if (t.type == ElementType::f16)
        return mask_of_keys<std::uint16_t>(t, rows.visible, [](float x) { return f32_to_f16(x); });
    return mask_of_keys<float>(t, rows.visible, [](float x) { return x; });
}

std::vector<std::byte> pooled_bytes(const ModelGraph& graph, const InputBinding& input,
                                    const BatchPosition& batch) {
    const std::uint64_t tokens = batch.tokens.size();
    const PooledBlocks blocks(graph.pooled_blocks.at(input.compressed), graph.options.cells,
                              batch.first_position + tokens);
    switch (input.input) {
        case ModelInput::pooled_cell_blocks:
            return as_bytes(blocks.blocks_of_cells());
        case ModelInput::pooled_block_cells:
            return as_bytes(blocks.cells_of_blocks());
        case ModelInput::pooled_positions:
            return as_bytes(blocks.positions());
        default:
            break;
    }
    std::vector<float> bias;
    for (std::uint64_t token = 0; token < tokens; ++token) {
        const std::uint64_t position = batch.first_position + token;
        const std::vector<float> row = input.input == ModelInput::pooled_block_bias
                                           ? blocks.block_bias(position)
                                           : blocks.cell_bias(position);
        bias.insert(bias.end(), row.begin(), row.end());
    }
    return as_bytes(bias);
}

}  // namespace

std::vector<std::byte> input_bytes(const ModelGraph& model_graph, const InputBinding& input,
                                   const BatchPosition& batch) {
    const Tensor& t = model_graph.graph[input.tensor];
    const ModelGraphOptions& options = model_graph.options;
    const std::size_t tokens = batch.tokens.size();
    if (tokens != options.tokens || std::uint64_t{batch.first_position} + tokens > options.cells) {
        throw Error(ErrorKind::range,
                    msg::kBatchDoesNotFit(tokens, batch.first_position, options.tokens, options.cells),
                    t.name, msg::kBuildForBatch);
    }
    const Reach reach = reach_of(model_graph, input.input);
    switch (input.input) {
        case ModelInput::tokens:
        case ModelInput::layer_tokens:
            return as_bytes(batch.tokens);
        case ModelInput::positions:
            return as_bytes(positions_of(batch, static_cast<std::size_t>(t.ne[0])));
        case ModelInput::output_rows: {
            std::vector<std::int32_t> rows(options.outputs);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i] = static_cast<std::int32_t>(tokens - rows.size() + i);
            }
            return as_bytes(rows);
        }
        case ModelInput::attention_mask:
        case ModelInput::swa_attention_mask:
        case ModelInput::indexer_mask:
            return attention_mask(t, batch, reach);
        case ModelInput::attention_scale:
            return as_bytes(scales_of(model_graph.attention_scale, batch));
        case ModelInput::rotation_k:
        case ModelInput::rotation_v:
        case ModelInput::swa_rotation_k:
        case ModelInput::swa_rotation_v:
        case ModelInput::indexer_rotation:
        case ModelInput::compressed_rotation:
            return as_bytes(hadamard(static_cast<std::size_t>(t.ne[0])));
        case ModelInput::mean_rows:
            return as_bytes(std::vector<float>(tokens, 1.0F / static_cast<float>(tokens)));
        case ModelInput::class_rows:
            return as_bytes(std::vector<std::int32_t>{
                model_graph.pools_last ? static_cast<std::int32_t>(tokens) - 1 : 0});
        case ModelInput::recurrent_states:
            // A single sequence, which continues its own state.
            return as_bytes(std::vector<std::int32_t>(static_cast<std::size_t>(t.ne[0]), 0));
        case ModelInput::cache_rows_k:
        case ModelInput::swa_cache_rows_k:
        case ModelInput::indexer_rows: {
            std::vector<std::int64_t> rows(tokens);
            for (std::size_t i = 0; i < tokens; ++i)
                rows[i] = static_cast<std::int64_t>((batch.first_position + i) % reach.ring);
            return as_bytes(rows);
        }
        case ModelInput::cache_rows_v:
        case ModelInput::swa_cache_rows_v: {
            // One entry per token, or per element if values are stored transposed.
            const std::size_t row = static_cast<std::size_t>(t.ne[0]) / tokens;
            std::vector<std::int64_t> cells(static_cast<std::size_t>(t.ne[0]));
            for (std::size_t i = 0; i < tokens; ++i) {
                for (std::size_t e = 0; e < row; ++e) {
                    cells[i * row + e] =
                        static_cast<std::int64_t>(e * reach.ring + (batch.first_position + i) % reach.ring);
                }
            }
            return as_bytes(cells);
        }
        case ModelInput::distance_buckets:
            return as_bytes(
                buckets_of(t, batch, reach, static_cast<std::int32_t>(model_graph.distance_buckets)));
        case ModelInput::position_mask:
        case ModelInput::block_bias:
            return as_bytes(position_values(t, batch, model_graph, input.input == ModelInput::block_bias));
        case ModelInput::position_cells:
        case ModelInput::position_cells_f32:
        case ModelInput::cell_blocks:
            return position_numbers(t, batch,
                                    input.input == ModelInput::cell_blocks ? model_graph.block_size : 1);
        case ModelInput::query_decays:
        case ModelInput::key_decays:
        case ModelInput::mutual_decays:
            return as_bytes(decays_of(t, input.input));
        case ModelInput::decay_slopes:
            return as_bytes(slopes_of(static_cast<std::size_t>(t.ne[0])));
        case ModelInput::compressed_phases:
        case ModelInput::compressed_kept:
        case ModelInput::compressed_kept_rows:
        case ModelInput::compressed_reads:
        case ModelInput::compressed_cells:
        case ModelInput::compressed_positions:
        case ModelInput::compressed_mask:
            return compressed_bytes(
                t, input.input,
                compressed_rows(model_graph.compressed[input.compressed], batch.first_position,
                                static_cast<std::uint32_t>(tokens)));
        case ModelInput::ngram_rows:
            return as_bytes(ngram_rows(model_graph.ngrams, batch));
        case ModelInput::pooled_cell_blocks:
        case ModelInput::pooled_block_cells:
        case ModelInput::pooled_positions:
        case ModelInput::pooled_block_bias:
        case ModelInput::pooled_cell_bias:
            return pooled_bytes(model_graph, input, batch);
        case ModelInput::encoder_rows:
            if (batch.encoded.size() != static_cast<std::size_t>(element_count(t)))
                throw Error(ErrorKind::unsupported, msg::kNoEncoderRuns, t.name,
                            msg::kUseModelWithoutEncoder);
            return as_bytes(batch.encoded);
        case ModelInput::encoder_mask:
            // All of one sequence; zero has the same bits in both types.
            return std::vector<std::byte>(byte_size(t));
    }
    return {};
}

}  // namespace splitscope
