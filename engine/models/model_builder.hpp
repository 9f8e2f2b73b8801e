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
                 const ModelGraphOptions& options, const ModelPlacement& placement);

    GraphBuilder& graph() { return graph_; }
    const Hyperparameters& hyperparameters() const { return h_; }
    const ModelGraphOptions& options() const { return options_; }
    std::int64_t tokens() const { return options_.tokens; }
    /// Written as graph builders did in February 2025; the blocks below know what was different then.
    bool is_2025_02() const { return options_.form == GraphForm::g2025_02; }
    std::int32_t layers() const { return static_cast<std::int32_t>(h_.shape.layers); }
    std::int64_t width() const { return h_.shape.embedding; }

    /// A weight of the input layer, of block `layer` ("blk.<layer>.<suffix>") or of the output layer. The
    /// required ones throw Error(bad_file) when the file lacks them or their shape differs.
    TensorId input_weight(const std::string& name, const Shape& ne);
    TensorId block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    TensorId output_weight(const std::string& name, const Shape& ne);
    bool has(const std::string& name) const { return file_.find_tensor(name).has_value(); }
    std::string block_name(std::int32_t layer, std::string_view suffix) const;
    /// A vector of the block as wide as the embedding.
    TensorId block_vector(std::int32_t layer, std::string_view suffix) {
        return block_weight(layer, suffix, {width(), 1, 1, 1});
    }
    /// Rows of a block's weight, for widths that only the file knows. Throws as above.
    std::int64_t block_rows(std::int32_t layer, std::string_view suffix) const {
        return rows_of(block_name(layer, suffix));
    }
    std::int64_t rows_of(const std::string& name) const;
    /// A weight that belongs to `layer` although its name carries no block number.
    TensorId weight(std::int32_t layer, const std::string& name, const Shape& ne);

    /// An input of the graph; the same tensor each time it is asked for.
    TensorId input(ModelInput kind, ElementType type, const Shape& ne, std::string name);
    /// A tensor of the layer's cache, which keeps its content from one graph to the next.
    TensorId cache_tensor(std::int32_t layer, const std::string& name, ElementType type, const Shape& ne);

    /// Token embeddings [embedding, tokens].
    TensorId embed_tokens();
    TensorId positions();
    /// Learned embeddings of the positions [embedding, tokens].
    TensorId embed_positions();
    /// Rows of the last layer that become outputs.
    TensorId output_rows();

    TensorId named(TensorId id, std::string_view name, std::int32_t layer = -1);
    /// Normalises rows and multiplies by `weight` (and adds `bias`). The steps before the last are called
    /// "norm" and "norm_w".
    TensorId rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer);
    TensorId layer_norm(TensorId x, TensorId weight, TensorId bias, std::string_view name,
                        std::int32_t layer);

    /// x times the block's weight `part` of `out` rows, and plus its bias if the file has one. Names that are
    /// empty leave the step unnamed.
    TensorId project(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                     std::string_view product_name, std::string_view biased_name);
    /// The projection as [dim, count, tokens], all steps under one name.
    TensorId project_heads(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                           std::int64_t count, std::string_view name);
    /// The same for values, in the shape that attend() takes them.
    TensorId project_values(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                            std::int64_t count, std::string_view name);
    /// Heads that stand in rows of `x` from element `first` on: [dim, count, tokens].
    TensorId part_heads(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                        std::string_view name, std::int32_t layer);
    TensorId part_values(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                         std::string_view name, std::int32_t layer);
    /// Rotary positions with the layer's parameters.
    TensorId rope(TensorId x, std::int32_t layer, std::string_view name, TensorId frequency_factors = {});

    /// Writes keys and values of the tokens into the layer's cache and attends over the cells: q [head_dim,
    /// heads, tokens], k [head_dim, kv_heads, tokens], v as project_values() or part_values() give it; the
    /// result is [head_dim_v · heads, tokens].
    /// Layers that slide use their own mask.
    TensorId attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale, TensorId sinks = {});
    /// The same among the tokens of the batch only, all of which see each other.
    TensorId attend_within_batch(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale);

    /// activation(gate) · value, both of the same shape. `name` is that of the block, e.g. "ffn".
    TensorId gate_with(GluKind kind, TensorId gate, TensorId value, std::string_view name,
                       std::int32_t layer);
    /// The same for a gate and a value that are the halves of the rows of one tensor.
    TensorId gate_halves(GluKind kind, TensorId both, std::string_view name, std::int32_t layer);

    /// Keeps the rows that become outputs.
    TensorId keep_outputs(TensorId x) { return graph_.get_rows(x, output_rows()); }

    /// Final norm and product with the head ("output.weight", or the token embeddings where that is absent).
    ModelGraph finish_with_logits(TensorId x);

    /// The state that each sequence continues: numbers of recurrent states.
    TensorId recurrent_states();

    /// Ends the graph with what it is for and hands it over.
    ModelGraph finish(TensorId result);

 private:
    /// Index of a tensor in the file. Throws Error(bad_file) when it is absent.
    std::size_t required(const std::string& name) const;

    struct Cache {
        TensorId k;
        TensorId v;
    };

    /// Of cells × tokens, one for the layers that slide and one for the others.
    TensorId attention_mask(std::int32_t layer);
    TensorId cache_rows_k(std::int32_t layer);
    TensorId cache_rows_v(std::int32_t layer, std::int64_t row);
    bool slides(std::int32_t layer) const { return h_.slides(static_cast<std::size_t>(layer)); }
    /// Cells of the layer's cache that are read, and that it has.
    std::int64_t cells(std::int32_t layer) const;
    std::int64_t context(std::int32_t layer) const;
    Cache cache(std::int32_t layer);
    void write_cache(const Cache& cache, TensorId k, TensorId v, std::int32_t layer);
    /// Views of the cells in use, permuted so that heads are outside.
    TensorId cached_keys(const Cache& cache, std::int32_t layer);
    TensorId cached_values(const Cache& cache, std::int32_t layer);
    /// A part of each row, as a contiguous tensor [dim · count, tokens].
    TensorId part_rows(TensorId x, std::int64_t first, std::int64_t width);
    void flag_output(TensorId id);

    TensorId attend_2025_02(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale);
    TensorId mask_2025_02(std::int32_t layer);
    void write_cache_2025_02(const Cache& cache, TensorId k, TensorId v, std::int32_t layer);
    TensorId mix_2025_02(const Cache& cache, TensorId query, std::int32_t layer, float scale);

    TensorId cap(TensorId scores, std::int32_t layer);
    void set_full_precision(TensorId product);
    /// Soft-maximum of the (capped) scores over the cells, then the mix of the values.
    TensorId mix(TensorId query, TensorId keys, TensorId values, TensorId mask, std::int32_t layer,
                 float scale, TensorId sinks);

    const GgufFile& file_;
    const Hyperparameters& h_;
    const ModelGraphOptions options_;
    const ModelPlacement& placement_;
    GraphBuilder graph_;
    ModelGraph model_graph_;
    std::map<std::pair<std::string, std::string>, TensorId> weights_;  ///< by name and buffer
    std::map<ModelInput, TensorId> inputs_;
    std::map<ModelInput, TensorId> half_masks_;
};

}  // namespace splitscope
