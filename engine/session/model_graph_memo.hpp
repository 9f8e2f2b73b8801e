// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/models/model.hpp"
#include "engine/models/placement/place_model.hpp"

namespace splitscope {

/// Graphs of one model. Those of the same options differ only in the buffers of weights and caches, so a
/// graph that was built before is given new buffers instead of being built again.
class ModelGraphMemo {
 public:
    explicit ModelGraphMemo(const Model& model) : model_(model) {}

    /// Equal to what Model::build_graph() makes for the layout. `input_buffer` as in ModelPlacement.
    std::shared_ptr<const ModelGraph> graph(const ModelGraphOptions& options, const ModelLayout& layout,
                                            const std::string& input_buffer);

 private:
    /// Asks a layout for a buffer of the graph.
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
