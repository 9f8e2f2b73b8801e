// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/models/random_model.hpp"

namespace splitscope::testing {

/// A model with very small layers.
inline RandomModelOptions narrow_model(std::uint32_t layers) {
    RandomModelOptions options;
    options.layers = layers;
    options.embedding = 64;
    options.heads = 2;
    options.kv_heads = 1;
    options.feed_forward = 64;
    options.vocabulary = 300;
    return options;
}

}  // namespace splitscope::testing
