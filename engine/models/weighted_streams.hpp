// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/models/residual_streams.hpp"

namespace splitscope {

/// Residual streams of which each half of a block reads a weighted sum. The weights are computed from the
/// streams: a product, whose parts are scaled and get a bias.
class WeightedStreams : public ResidualStreams {
 protected:
    explicit WeightedStreams(ModelBuilder& builder);
    ~WeightedStreams() = default;

    /// The product of the normalised streams `x` with a weight: [rows of the weight, tokens].
    TensorId mixes(TensorId x, TensorId weight, std::string_view name, std::int32_t layer);
    /// `size` elements of the mixes of each token, those of part `which`, scaled and with their bias.
    TensorId scaled_mixes(TensorId mixes, TensorId scale, TensorId bias, std::int64_t which,
                          std::int64_t size);
    /// The weights of the streams `x` in the model's last hidden state.
    TensorId output_weights(TensorId x);
    /// Stream `i` [width, tokens].
    TensorId stream(TensorId x, std::int64_t i);
    /// The weight of stream `i` [1, tokens].
    TensorId weight_of(TensorId weights, std::int64_t i);
    TensorId weighted_sum(TensorId x, TensorId weights);
    /// The streams with one more [width, tokens]; none at first.
    TensorId joined(TensorId streams, TensorId next);

    float epsilon_;
};

}  // namespace splitscope
