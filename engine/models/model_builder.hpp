// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/models/hyperparameters.hpp"
#include "engine/models/model.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {

/// What every architecture builds its graph from: weights of the file, inputs, the cache, and the usual
/// blocks. Names of tensors are those of the reference engine's graphs, e.g. "Qcur-0".
class ModelBuilder {
 public:
    ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                 const ModelGraphOptions& options, const ModelPlacement& placement, std::string graph_name);

    GraphBuilder& graph() { return graph_; }
    std::int64_t tokens() const { return options_.tokens; }

    /// A weight of the input layer, of block `layer` ("blk.<layer>.<suffix>") or of the output layer. The
    /// required ones throw Error(bad_file) when the file lacks them or their shape differs.
    TensorId input_weight(const std::string& name, const Shape& ne);
    TensorId block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    TensorId output_weight(const std::string& name, const Shape& ne);
    bool has(const std::string& name) const { return file_.find_tensor(name).has_value(); }
    std::string block_name(std::int32_t layer, std::string_view suffix) const;
    /// A weight that belongs to `layer` although its name carries no block number.
    TensorId weight(std::int32_t layer, const std::string& name, const Shape& ne);

    /// Token embeddings [embedding, tokens].
    TensorId embed_tokens();
    TensorId positions();
    /// Rows of the last layer that become outputs.
    TensorId output_rows();

    TensorId named(TensorId id, std::string_view name, std::int32_t layer = -1);
    TensorId rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer);
    TensorId linear(TensorId weight, TensorId x) { return graph_.mul_mat(weight, x); }

    /// Writes keys and values of the tokens into the layer's cache and attends over the cells: q [head_dim,
    /// heads, tokens], k and v [head_dim, kv_heads, tokens]; the result is [head_dim_v · heads, tokens].
    TensorId attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale);

    /// Ends the graph with the logits and hands it over.
    ModelGraph finish(TensorId logits);

 private:
    struct Cache {
        TensorId k;
        TensorId v;
    };

    TensorId input(ModelInput kind, ElementType type, const Shape& ne, std::string name);
    TensorId attention_mask();
    TensorId cache_rows_k();
    TensorId cache_rows_v(std::int64_t row);
    Cache cache(std::int32_t layer);
    void write_cache(const Cache& cache, TensorId k, TensorId v, std::int32_t layer);
    /// Views of the cells in use, permuted so that heads are outside.
    TensorId cached_keys(const Cache& cache, std::int32_t layer);
    TensorId cached_values(const Cache& cache, std::int32_t layer);

    const GgufFile& file_;
    const Hyperparameters& h_;
    const ModelGraphOptions& options_;
    const ModelPlacement& placement_;
    GraphBuilder graph_;
    ModelGraph model_graph_;
    std::map<std::pair<std::string, std::string>, TensorId> weights_;  ///< by name and buffer
    std::map<ModelInput, TensorId> inputs_;
};

}  // namespace splitscope
