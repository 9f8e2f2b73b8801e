// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/models/model_builder.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {

/// Residuals of several parallel streams [width, streams, tokens].
class ResidualStreams {
 public:
    std::int64_t count() const { return count_; }
    /// Copies of `x` [width, tokens].
    TensorId begin(TensorId x);
    /// The rows that become outputs.
    TensorId keep_outputs(TensorId x);

 protected:
    /// Refuses a model with more than `most` streams. Throws Error(bad_file).
    explicit ResidualStreams(ModelBuilder& builder, std::uint64_t most = kMaxExtent);
    ~ResidualStreams() = default;

    /// The block's weight "<part>_<name>.weight".
    TensorId weight(std::int32_t layer, std::string_view part, std::string_view name, const Shape& ne);

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int64_t count_;
};

}  // namespace splitscope
