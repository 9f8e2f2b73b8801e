// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/models/model.hpp"
#include "engine/models/placement/place_model.hpp"

namespace splitscope {

/// Cache of a model's graphs. Graphs with equal options differ only in the buffers of weights and caches, so
/// a cached graph gets new buffers instead of being rebuilt.
class ModelGraphMemo {
 public:
    explicit ModelGraphMemo(const Model& model) : model_(model) {}

    /// Equal to the result of Model::build_graph() for the layout. `input_buffer` as in ModelPlacement.
    std::shared_ptr<const ModelGraph> graph(const ModelGraphOptions& options, const ModelLayout& layout,
                                            const std::string& input_buffer);

 private:
    /// A query for a buffer of the graph.
    struct Question {
        enum class Kind : std::uint8_t { weight, cache, input };
        Kind kind = Kind::weight;
        std::int32_t layer = 0;
        std::string weight;
        TensorId of;
    };
    struct Entry {
        ModelGraphOptions options;
        std::string shared_weights;  ///< see shared_weights_of() in the .cpp
        std::shared_ptr<ModelGraph> built;
        std::vector<Question> questions;  ///< one per tensor with a buffer, in the order of tensors
    };
    Entry build(const ModelGraphOptions& options, const ModelLayout& layout, const std::string& input_buffer);
    static void set_buffers(Entry& entry, const ModelLayout& layout, const std::string& input_buffer);

    const Model& model_;
    std::vector<Entry> entries_;
};

}  // namespace splitscope
