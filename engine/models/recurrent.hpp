// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// Recurrent states of layers, one row per sequence: read at the start of a batch and written at its end.
class RecurrentStates {
 public:
    explicit RecurrentStates(ModelBuilder& builder);

    ModelBuilder& builder() { return b_; }
    std::int64_t sequences() const { return b_.options().sequences; }
    std::int64_t tokens_per_sequence() const { return b_.tokens() / sequences(); }
    /// [width, tokens] to [width, tokens of a sequence, sequences], and back.
    TensorId by_sequence(TensorId x);
    TensorId joined(TensorId x);

    /// The tensor "cache_r" (or another letter) with `size` elements per sequence.
    TensorId tensor(std::int32_t layer, std::string_view letter, std::int64_t size);
    /// Reads the rows of the batch's sequences, given all rows and the wanted indices.
    using Pick = std::function<TensorId(TensorId rows, TensorId wanted)>;
    /// Clears the states of new sequences, reads those of the batch ([size, sequences] unless `pick` reads
    /// them), and copies the others.
    TensorId read(TensorId states, const Pick& pick = {});
    void write(TensorId value, TensorId states);

    /// Prepends the last inputs of a convolution to those of the batch: `x` is [width, tokens of a sequence,
    /// sequences], the result [taps - 1 + tokens, width, sequences]. The last inputs become the new state.
    /// `centred`: half of the taps are for later tokens, which are zero after the last.
    TensorId with_last_inputs(TensorId x, TensorId before, TensorId states, std::int64_t taps,
                              std::string_view name = {}, std::int32_t layer = -1, bool centred = false);

    /// As above with `columns` inputs, in the form of models that keep several such states per block; the
    /// result is unnamed.
    TensorId window(TensorId x, TensorId states, std::int64_t columns, std::int32_t layer);

 private:
    ModelBuilder& b_;
    GraphBuilder& g_;
    TensorId own_;
    TensorId others_;
};

/// Selective state space of Mamba, with a decay per element; [width, tokens] to [width, tokens].
TensorId mamba_layer(RecurrentStates& states, TensorId x, std::int32_t layer);
/// Selective state space of Mamba 2, with a decay per head.
TensorId mamba2_layer(RecurrentStates& states, TensorId x, std::int32_t layer);

/// Rows scaled to length 1.
TensorId unit_rows(ModelBuilder& builder, TensorId x);
/// The gated delta rule; returns [head, heads, tokens, sequences]. Queries, keys and values in the layout of
/// GATED_DELTA_NET; `state` holds the states of the batch's sequences. Writes the new states to `all_states`.
/// `contiguous`: copies the outputs out of the operation's result, which also holds the states.
TensorId delta_rule(RecurrentStates& states, const Heads& heads, TensorId gate, TensorId beta, TensorId state,
                    TensorId all_states, std::int32_t layer, bool contiguous = false);

}  // namespace splitscope
