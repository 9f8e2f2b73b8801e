// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/models/model_builder.hpp"

namespace splitscope {

/// Residuals of several parallel streams [width, streams, tokens]: each half of a block reads their mean,
/// gated element by element, and adds its result to each of them with a weight. Gates have a low rank.
class GatedStreams {
 public:
    explicit GatedStreams(ModelBuilder& builder);

    std::int64_t count() const { return count_; }
    /// Copies of `x` [width, tokens].
    TensorId begin(TensorId x);

    /// The input of a half, and the weights of its result for each stream.
    struct Read {
        TensorId mixed;
        TensorId weights;
    };
    /// The half whose weights are named "<part>_norm.weight" and so on.
    Read read(TensorId x, std::int32_t layer, std::string_view part);
    /// The streams `x` plus a half's result.
    TensorId write(TensorId x, TensorId result, TensorId weights, std::int32_t layer);
    /// The rows that become outputs.
    TensorId keep_outputs(TensorId x);
    /// The final mean, which is also the model's last norm.
    TensorId end(TensorId x);

 private:
    struct Gates {
        TensorId normed;  ///< [width · streams, tokens]
        TensorId gate;
    };
    Gates gates(TensorId x, TensorId norm, TensorId down, TensorId up, std::int32_t layer);
    TensorId mean_of_gated(const Gates& gates);

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int64_t count_;
    std::int64_t rank_;
};

}  // namespace splitscope
