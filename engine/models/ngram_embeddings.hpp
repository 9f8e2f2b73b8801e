// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/models/recurrent.hpp"

namespace splitscope {

/// Embeddings of the n-grams that end with each token, added to the residual streams of one block.
class NgramEmbeddings {
 public:
    /// Reads the keys; files without them have no such embeddings.
    explicit NgramEmbeddings(ModelBuilder& builder);

    /// Rows of the table for each token, side by side. Before the blocks, if a block reads them.
    void embed();
    bool are_of(std::int32_t layer) const { return layer == layer_; }
    /// The streams `x` [width, streams, tokens] plus the embeddings.
    TensorId add_to(TensorId x, RecurrentStates& states);

 private:
    NgramHash read_hash() const;
    TensorId normalised(TensorId x, const char* weight);
    TensorId convolve(TensorId x, RecurrentStates& states);

    ModelBuilder& b_;
    GraphBuilder& g_;
    std::int32_t layer_ = -1;  ///< none
    std::int64_t length_ = 0;  ///< of a row
    std::int64_t taps_ = 0;
    NgramHash hash_;
    TensorId rows_;
    std::int64_t streams_ = 0;
};

/// Rows of the table for the tokens of a batch, one for each head and token.
std::vector<std::int32_t> ngram_rows(const NgramHash& hash, const BatchPosition& batch);

}  // namespace splitscope
