// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/models/messages.hpp"
#include "engine/models/model.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::uint16_t kF16NegativeInfinity = 0xfc00;

template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// What the layers that read an input look back at, and how their cache is used.
struct Reach {
    bool causal;
    std::uint64_t window;  ///< positions, the own one included; 0 = all
    std::uint64_t ring;    ///< cells of the cache, used in turn
};

/// 0 where a token may look, -infinity elsewhere: at cells after its own position, and with a window at cells
/// that far behind it.
template <class T>
std::vector<std::byte> attention_mask(const Tensor& mask, const BatchPosition& batch, const Reach& reach,
                                      T hidden) {
    std::vector<T> values(static_cast<std::size_t>(element_count(mask)), hidden);
    const auto columns = static_cast<std::uint64_t>(mask.ne[0]);
    const std::uint64_t last = batch.first_position + batch.tokens.size();
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::uint64_t end = reach.causal ? batch.first_position + token + 1 : last;
        const std::uint64_t begin = reach.window > 0 && end > reach.window ? end - reach.window : 0;
        if (last - begin > std::min(reach.ring, columns)) {
            throw Error(ErrorKind::range,
                        msg::kWindowDoesNotFit(reach.ring, reach.window, batch.tokens.size()), mask.name,
                        msg::kGiveWindowMoreCells);
        }
        for (std::uint64_t position = begin; position < end; ++position)
            values[token * columns + position % reach.ring] = T{};
    }
    return as_bytes(values);
}

Reach reach_of(const ModelGraph& graph, ModelInput input) {
    const bool slides = input == ModelInput::swa_attention_mask || input == ModelInput::swa_cache_rows_k ||
                        input == ModelInput::swa_cache_rows_v;
    const ModelGraphOptions& options = graph.options;
    const bool own_size = slides && options.window_context > 0;
    return {graph.causal, slides ? graph.window : 0, own_size ? options.window_context : options.context};
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
            return as_bytes(batch.tokens);
        case ModelInput::positions: {
            std::vector<std::int32_t> positions(tokens);
            for (std::size_t i = 0; i < tokens; ++i) {
                positions[i] = static_cast<std::int32_t>(batch.first_position + i);
            }
            return as_bytes(positions);
        }
        case ModelInput::output_rows: {
            std::vector<std::int32_t> rows(options.outputs);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i] = static_cast<std::int32_t>(tokens - rows.size() + i);
            }
            return as_bytes(rows);
        }
        case ModelInput::attention_mask:
        case ModelInput::swa_attention_mask: {
            if (t.type == ElementType::f16)
                return attention_mask<std::uint16_t>(t, batch, reach, kF16NegativeInfinity);
            return attention_mask<float>(t, batch, reach, -std::numeric_limits<float>::infinity());
        }
        case ModelInput::recurrent_states:
            // One sequence, which continues its own state.
            return as_bytes(std::vector<std::int32_t>(static_cast<std::size_t>(t.ne[0]), 0));
        case ModelInput::cache_rows_k:
        case ModelInput::swa_cache_rows_k: {
            std::vector<std::int64_t> rows(tokens);
            for (std::size_t i = 0; i < tokens; ++i)
                rows[i] = static_cast<std::int64_t>((batch.first_position + i) % reach.ring);
            return as_bytes(rows);
        }
        case ModelInput::cache_rows_v:
        case ModelInput::swa_cache_rows_v: {
            // One entry per token, or per element where values are stored transposed.
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
        case ModelInput::attention_scale:
        case ModelInput::rotation_k:
        case ModelInput::rotation_v:
        case ModelInput::swa_rotation_k:
        case ModelInput::swa_rotation_v:
        case ModelInput::mean_rows:
        case ModelInput::class_rows:
        case ModelInput::distance_buckets:
        case ModelInput::encoder_rows:
        case ModelInput::encoder_mask:
            break;
    }
    return {};
}

}  // namespace splitscope
