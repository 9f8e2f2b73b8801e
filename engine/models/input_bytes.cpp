// SPDX-License-Identifier: MIT
#include <cstring>
#include <limits>

#include <fmt/format.h>

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

/// 0 where a token may look, -infinity elsewhere: at cells after its own position, and with a window (> 0)
/// at cells that far behind it.
template <class T>
std::vector<std::byte> attention_mask(const Tensor& mask, const BatchPosition& batch, bool causal,
                                      std::uint32_t window, T hidden) {
    std::vector<T> values(static_cast<std::size_t>(element_count(mask)), hidden);
    for (std::size_t token = 0; token < batch.tokens.size(); ++token) {
        const std::size_t end = batch.first_position + (causal ? token + 1 : batch.tokens.size());
        const std::size_t begin = window > 0 && end > window ? end - window : 0;
        for (std::size_t cell = begin; cell < end; ++cell) {
            values[token * static_cast<std::size_t>(mask.ne[0]) + cell] = T{};
        }
    }
    return as_bytes(values);
}

}  // namespace

std::vector<std::byte> input_bytes(const ModelGraph& model_graph, const InputBinding& input,
                                   const BatchPosition& batch) {
    const Tensor& t = model_graph.graph[input.tensor];
    const ModelGraphOptions& options = model_graph.options;
    const std::size_t tokens = batch.tokens.size();
    if (tokens != options.tokens || std::uint64_t{batch.first_position} + tokens > options.cells) {
        throw Error(ErrorKind::range,
                    fmt::format("{} tokens at position {} do not fit a graph of {} tokens and {} cells",
                                tokens, batch.first_position, options.tokens, options.cells),
                    t.name, "build the graph for this batch");
    }
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
            const bool slides = input.input == ModelInput::swa_attention_mask;
            const std::uint32_t window = slides ? model_graph.window : 0;
            if (t.type == ElementType::f16) {
                return attention_mask<std::uint16_t>(t, batch, model_graph.causal, window,
                                                     kF16NegativeInfinity);
            }
            return attention_mask<float>(t, batch, model_graph.causal, window,
                                         -std::numeric_limits<float>::infinity());
        }
        case ModelInput::recurrent_states:
            // One sequence, which continues its own state.
            return as_bytes(std::vector<std::int32_t>(static_cast<std::size_t>(t.ne[0]), 0));
        case ModelInput::cache_rows_k:
        case ModelInput::swa_cache_rows_k: {
            std::vector<std::int64_t> rows(tokens);
            for (std::size_t i = 0; i < tokens; ++i)
                rows[i] = static_cast<std::int64_t>(batch.first_position + i);
            return as_bytes(rows);
        }
        case ModelInput::cache_rows_v:
        case ModelInput::swa_cache_rows_v: {
            // One entry per token, or per element where values are stored transposed.
            const std::size_t row = static_cast<std::size_t>(t.ne[0]) / tokens;
            std::vector<std::int64_t> cells(static_cast<std::size_t>(t.ne[0]));
            for (std::size_t i = 0; i < tokens; ++i) {
                for (std::size_t e = 0; e < row; ++e) {
                    cells[i * row + e] = static_cast<std::int64_t>(e) * options.context +
                                         batch.first_position + static_cast<std::int64_t>(i);
                }
            }
            return as_bytes(cells);
        }
    }
    return {};
}

}  // namespace splitscope
