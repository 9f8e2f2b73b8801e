// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/hyperparameters.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/model.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {

/// Queries, keys and values of the tokens, each [head size, heads, tokens].
struct Heads {
    TensorId q;
    TensorId k;
    TensorId v;
};

/// What differs between the ways of attending.
struct AttendOptions {
    float scale = 1.0F;
    TensorId sinks = {};
    TensorId bias = {};  ///< added to the scores
    /// Of latent attention: widens the mixed values of each head.
    TensorId widen = {};
    /// Scores are multiplied by the first, cut off smoothly and multiplied by the second; 0 = not.
    float squash_from = 0.0F;
    float squash_to = 0.0F;
};

/// The plain ones have no weights, and only layer norms and biased ones may have a bias.
enum class NormKind : std::uint8_t { rms, rms_biased, layer, plain_rms, plain_layer };

/// Leaves a step unnamed where an empty name means another one.
inline constexpr std::string_view kUnnamed = "-";

/// The vocabulary that pages are written in: weights of the file, inputs, caches and the usual blocks. A
/// weight exists for placement and allocation because a page asks for it here. Names of tensors are those of
/// the reference engine's graphs, e.g. "Qcur-0"; a name that is empty leaves a step unnamed.
class ModelBuilder {
 public:
    ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                 const ModelGraphOptions& options, const ModelPlacement& placement);

    GraphBuilder& graph() { return graph_; }
    const Hyperparameters& hyperparameters() const { return h_; }
    const ModelGraphOptions& options() const { return options_; }
    /// Keys of the file that only this architecture has.
    const Keys& keys() const { return keys_; }
    /// Keys that do not begin with the architecture's name.
    Keys keys_with_prefix(std::string prefix) const { return Keys(file_, std::move(prefix)); }
    std::int64_t tokens() const { return options_.tokens; }
    /// Written as graph builders did in February 2025; the blocks below know what was different then.
    bool is_2025_02() const { return options_.form == GraphForm::g2025_02; }
    /// Blocks that the graph goes through.
    std::int32_t layers() const { return static_cast<std::int32_t>(h_.shape.layers - h_.predicting_blocks); }
    bool is_last(std::int32_t layer) const { return layer + 1 == layers(); }
    std::int64_t width() const { return h_.shape.embedding; }

    // Weights. The required ones throw Error(bad_file) when the file lacks them or their shape differs.

    /// A weight of the input layer, of block `layer` ("blk.<layer>.<suffix>") or of the output layer.
    TensorId input_weight(const std::string& name, const Shape& ne);
    TensorId block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    TensorId output_weight(const std::string& name, const Shape& ne);
    bool has(const std::string& name) const { return file_.find_tensor(name).has_value(); }
    bool block_has(std::int32_t layer, std::string_view suffix) const {
        return has(block_name(layer, suffix));
    }
    /// Blocks are called "<prefix>blk.<layer>" from now on.
    void set_block_prefix(std::string prefix) { block_prefix_ = std::move(prefix); }
    /// Layers have the weights of a block so many before them from now on: blocks that are gone through
    /// again have a cache each time, and their weights once.
    void set_block_shift(std::int32_t shift) { block_shift_ = shift; }
    std::string block_name(std::int32_t layer, std::string_view suffix) const;
    /// A vector of the block as wide as the embedding.
    TensorId block_vector(std::int32_t layer, std::string_view suffix) {
        return block_weight(layer, suffix, {width(), 1, 1, 1});
    }
    /// The block's weight where the file has it, else no tensor.
    TensorId optional_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    /// Rows of a block's weight, for widths that only the file knows. Throws as above.
    std::int64_t block_rows(std::int32_t layer, std::string_view suffix) const {
        return rows_of(block_name(layer, suffix));
    }
    std::int64_t rows_of(const std::string& name) const;
    /// A weight of the block in whatever shape the file has it. Throws as above.
    TensorId stored_weight(std::int32_t layer, std::string_view suffix);
    /// Elements of a vector that only the file knows.
    std::int64_t rows_of_vector(const std::string& name) const;
    /// A weight that belongs to `layer` although its name carries no block number.
    TensorId weight(std::int32_t layer, const std::string& name, const Shape& ne);

    // Inputs and caches.

    /// An input of the graph; the same tensor each time it is asked for.
    TensorId input(ModelInput kind, ElementType type, const Shape& ne, std::string name);
    /// A tensor of the layer's cache, which keeps its content from one graph to the next.
    TensorId cache_tensor(std::int32_t layer, const std::string& name, ElementType type, const Shape& ne);

    /// Token embeddings [embedding, tokens], multiplied by `scale`.
    TensorId embed_tokens(float scale = 1.0F, const std::string& table = "token_embd.weight");
    /// What images add to the first layers; texts have nothing to add, but the step is there.
    TensorId add_deepstack(TensorId x, std::int32_t layer);
    TensorId positions();
    /// Learned embeddings of the positions [embedding, tokens].
    TensorId embed_positions();
    /// Rows of the last layer that become outputs.
    TensorId output_rows();
    /// Scale of each token's queries, which grows with its position.
    TensorId attention_scale(const AttentionScale& growth);

    // Steps.

    TensorId named(TensorId id, std::string_view name, std::int32_t layer = -1);
    /// Normalises rows and multiplies by `weight` (and adds `bias`), as far as they are there. The steps
    /// before the last are called "norm" and "norm_w".
    TensorId normalise(NormKind kind, TensorId x, TensorId weight, TensorId bias, std::string_view name,
                       std::int32_t layer);
    TensorId rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer) {
        return normalise(NormKind::rms, x, weight, {}, name, layer);
    }
    TensorId layer_norm(TensorId x, TensorId weight, TensorId bias, std::string_view name,
                        std::int32_t layer) {
        return normalise(NormKind::layer, x, weight, bias, name, layer);
    }
    /// The norm of the block's `part`.weight, and of layer norms `part`.bias where the file has it. The
    /// result is called as the part where no name is given.
    TensorId block_norm(NormKind kind, TensorId x, std::int32_t layer, std::string_view part,
                        std::string_view name = {});
    TensorId block_rms_norm(TensorId x, std::int32_t layer, std::string_view part,
                            std::string_view name = {}) {
        return block_norm(NormKind::rms, x, layer, part, name);
    }
    /// The norm of each head, whose size the weight has; `x` itself where the file has no such weight.
    TensorId head_norm(TensorId x, std::int32_t layer, std::string_view part, std::string_view name);

    /// x times the block's weight `part` of `out` rows, and plus its bias if the file has one.
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
    /// "Qcur", "Kcur" and "Vcur" of the layer: from one product with "attn_qkv" where the file has it, else
    /// from three. Elements beyond ±`clamp` are cut off.
    Heads heads(TensorId x, std::int32_t layer, float clamp = 0.0F, std::string_view product_name = "wqkv");
    /// Rotary positions with the layer's parameters.
    TensorId rope(TensorId x, std::int32_t layer, std::string_view name, TensorId frequency_factors = {});
    TensorId rope_with(const RopeParameters& parameters, TensorId x, std::int32_t layer,
                       std::string_view name, TensorId frequency_factors = {});
    /// The layer's parameters of rotary positions.
    RopeParameters rope_parameters(std::int32_t layer) const;
    /// Factors of the frequencies, where the file has them: of llama 3, or for contexts longer or shorter
    /// than in training.
    TensorId frequency_factors(std::int32_t layer);
    TensorId frequency_factors_of(std::int32_t layer, std::int32_t dims);
    /// Adds the block's output `x` to its input and leaves the rows that become outputs in the last layer.
    void keep_outputs_of_last(std::int32_t layer, TensorId& x, TensorId& residual);

    // Attention.

    /// Writes keys and values of the tokens into the layer's cache and attends over the cells; the result is
    /// [head_dim_v · heads, tokens]. Layers that slide use their own mask. Models without a cache attend
    /// among the tokens of the batch.
    TensorId attend(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    TensorId attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale,
                    TensorId sinks = {}) {
        return attend({q, k, v}, layer, {.scale = scale, .sinks = sinks});
    }
    /// The same over the cache of an earlier layer, without keys and values of its own.
    TensorId attend_shared(TensorId q, std::int32_t layer, std::int32_t owner, float scale);
    /// The cache has keys only; values are their first elements.
    TensorId attend_latent(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    /// The same over what an encoder made of its tokens, all of which are seen.
    TensorId attend_encoded(const Heads& heads, std::int32_t layer, float scale);
    /// Rows of the encoder [embedding, tokens].
    TensorId encoder_rows();
    /// How far apart each token and cell are, in classes: [cells, tokens].
    TensorId distance_buckets(std::uint32_t classes, std::int64_t cells);
    /// 1 / √(head size).
    float score_scale(std::int32_t layer) const;

    // Feed-forward.

    /// activation(gate) · value, both of the same shape. `name` is that of the block, e.g. "ffn".
    TensorId gate_with(GluKind kind, TensorId gate, TensorId value, std::string_view name,
                       std::int32_t layer);
    /// The same for a gate and a value that are the halves of the rows of one tensor.
    TensorId gate_halves(GluKind kind, TensorId both, std::string_view name, std::int32_t layer);
    /// 10 = full precision (F32) of a product.
    void set_full_precision(TensorId product);

    // The end.

    /// Keeps the rows that become outputs.
    TensorId keep_outputs(TensorId x) { return graph_.get_rows(x, output_rows()); }

    /// Final norm: of layer norms where the file has its bias or `kind` says so.
    TensorId final_norm(TensorId x, NormKind kind = NormKind::rms);
    /// Product with the head ("output.weight", or the token embeddings where that is absent), unnamed.
    TensorId head(TensorId x);
    /// The same plus "output.bias" where the file has it.
    TensorId biased_head(TensorId x, std::string_view product_name = {});
    /// Cuts logits off smoothly, where the model does.
    TensorId cap_output(TensorId logits);
    /// All of these.
    ModelGraph finish_with_logits(TensorId x, NormKind kind = NormKind::rms);
    ModelGraph finish_with_named_logits(TensorId logits);
    /// Ends with the vectors of the tokens, or of the sequences.
    ModelGraph finish_with_embeddings(TensorId x, std::string_view name = "result_embd");

    /// The state that each sequence continues: numbers of recurrent states.
    TensorId recurrent_states();

    /// Ends the graph with what it is for and hands it over.
    ModelGraph finish(TensorId result);
    void flag_output(TensorId id);
    /// What drafting models read: kept as an output of its own.
    void keep_for_drafts(TensorId x);
    /// What later layers read through attend_shared().
    bool causal() const { return h_.causal; }

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
    std::int64_t streams() const { return options_.streams; }
    /// Elements of a row of the cache of values.
    std::int64_t v_cache_row(std::int32_t layer) const;
    Cache cache(std::int32_t layer);
    void write_keys(TensorId cache, TensorId k, std::int32_t layer);
    void write_values(TensorId cache, TensorId v, std::int32_t layer);
    /// Views of the cells in use, permuted so that heads are outside.
    TensorId cached_keys(const Cache& cache, std::int32_t layer);
    TensorId cached_values(const Cache& cache, std::int32_t layer);
    /// A part of each row, as a contiguous tensor [dim · count, tokens].
    TensorId part_rows(TensorId x, std::int64_t first, std::int64_t width);

    /// Matrices that spread what quantisation would lose; no tensor where the cache is not quantised.
    std::int64_t deepstack_layers() const;

    TensorId rotation(std::int32_t layer, bool values);
    TensorId rotate(TensorId x, TensorId rotation);

    TensorId attend_2025_02(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale);
    TensorId mask_2025_02(std::int32_t layer);
    void write_cache_2025_02(const Cache& cache, TensorId k, TensorId v, std::int32_t layer);
    TensorId mix_2025_02(const Cache& cache, TensorId query, std::int32_t layer, float scale);

    TensorId attend_within_batch(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    TensorId batch_mask(std::int32_t layer);
    TensorId cap(TensorId scores, std::int32_t layer);
    /// Queries split into the streams of the cache, heads outside.
    TensorId permuted_query(TensorId q, std::int64_t streams);
    /// Keys, values and queries with heads outside: the mixed values of all heads, [width, tokens].
    TensorId mix_heads(TensorId q, TensorId k, TensorId v, TensorId mask, std::int32_t layer,
                       const AttendOptions& options, bool transposed_values);

    const GgufFile& file_;
    const Hyperparameters& h_;
    const ModelGraphOptions options_;
    const ModelPlacement& placement_;
    Keys keys_;
    std::string block_prefix_;
    std::int32_t block_shift_ = 0;
    GraphBuilder graph_;
    ModelGraph model_graph_;
    TensorId wide_embeddings_;
    std::map<std::pair<std::string, std::string>, TensorId> weights_;  ///< by name and buffer
    std::map<ModelInput, TensorId> inputs_;
    std::map<ModelInput, TensorId> half_masks_;
    std::map<std::int32_t, Cache> caches_;  ///< of the layers that have one
};

}  // namespace splitscope
