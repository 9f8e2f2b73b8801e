// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/models/residual_streams.hpp"

namespace splitscope {

/// Several residual streams: each half of a block reads their element-wise gated mean and adds its weighted
/// result to every stream. Gates have a low rank.
class GatedStreams : public ResidualStreams {
 public:
    explicit GatedStreams(ModelBuilder& builder);

    /// The input of a half, and the weights of its result for each stream.
    struct Read {
        TensorId mixed;
        TensorId weights;
    };
    /// The half whose weights are named "<part>_norm.weight" and so on.
    Read read(TensorId x, std::int32_t layer, std::string_view part);
    /// The streams `x` plus a half's result.
    TensorId write(TensorId x, TensorId result, TensorId weights, std::int32_t layer);
    /// The final mean, which is also the model's last norm.
    TensorId end(TensorId x);

 private:
    struct Gates {
        TensorId normed;  ///< [width · streams, tokens]
        TensorId gate;
    };
    Gates gates(TensorId x, TensorId norm, TensorId down, TensorId up, std::int32_t layer);
    TensorId mean_of_gated(const Gates& gates);

    std::int64_t rank_;
};

}  // namespace splitscope
