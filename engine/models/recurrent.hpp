// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string_view>

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// States that layers keep instead of a cache, one row per sequence: read at the start of a batch, written at
/// its end.
class RecurrentStates {
 public:
    explicit RecurrentStates(ModelBuilder& builder);

    ModelBuilder& builder() { return b_; }
    std::int64_t sequences() const { return b_.options().sequences; }
    std::int64_t tokens_per_sequence() const { return b_.tokens() / sequences(); }
    /// [width, tokens] as [width, tokens of a sequence, sequences], and back.
    TensorId by_sequence(TensorId x);
    TensorId joined(TensorId x);

    /// "cache_r" or another, `size` elements per sequence.
    TensorId tensor(std::int32_t layer, std::string_view letter, std::int64_t size);
    /// What reads the rows of the batch's sequences, given all rows and the numbers of those wanted.
    using Pick = std::function<TensorId(TensorId rows, TensorId wanted)>;
    /// Clears the state of a sequence that begins, reads those of the batch's sequences ([size, sequences]
    /// where nothing else picks them), and moves the others along.
    TensorId read(TensorId states, const Pick& pick = {});
    void write(TensorId value, TensorId states);

    /// The last inputs of a convolution over tokens, which belong before those of the batch: `x` is
    /// [width, tokens of a sequence, sequences], the result [taps - 1 + tokens, width, sequences]. The last
    /// ones become the state.
    TensorId with_last_inputs(TensorId x, TensorId before, TensorId states, std::int64_t taps);

 private:
    ModelBuilder& b_;
    GraphBuilder& g_;
    TensorId own_;
    TensorId others_;
};

/// A selective state space as in Mamba, with a decay for each element; [width, tokens] to [width, tokens].
TensorId mamba_layer(RecurrentStates& states, TensorId x, std::int32_t layer);
/// The same as in Mamba 2, with a decay for each head.
TensorId mamba2_layer(RecurrentStates& states, TensorId x, std::int32_t layer);

}  // namespace splitscope
