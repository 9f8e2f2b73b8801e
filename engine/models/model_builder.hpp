// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/hyperparameters.hpp"
#include "engine/models/keys.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/model.hpp"
#include "engine/tensor/graph_builder.hpp"

namespace splitscope {

/// Queries, keys and values of the batch, each [head size, heads, tokens].
struct Heads {
    TensorId q;
    TensorId k;
    TensorId v;
};

/// Options of attend().
struct AttendOptions {
    float scale = 1.0F;
    TensorId sinks = {};
    TensorId bias = {};  ///< added to the scores
    /// Latent attention: up-projection of each head's mixed values.
    TensorId widen = {};
    /// The cells each token attends to; all if not valid.
    TensorId chosen = {};
    /// Soft cap of the scores: multiply by the first, apply tanh, multiply by the second; 0 = no cap.
    float squash_from = 0.0F;
    float squash_to = 0.0F;
    std::string_view name = "kqv_out";
};

/// The plain norms have no weight; only `layer` and `rms_biased` may have a bias.
enum class NormKind : std::uint8_t { rms, rms_biased, layer, plain_rms, plain_layer };

/// Permutation after which each head of [head size, heads, tokens] is a matrix.
inline constexpr std::array<std::int32_t, kMaxDims> kHeadsOutside = {0, 2, 1, 3};

/// Leaves a step unnamed where an empty name selects a default.
inline constexpr std::string_view kUnnamed = "-";

/// Bytes of an F32 element, for strides.
inline constexpr std::int64_t kFloat = sizeof(float);

/// Operations from which the functions of graphs/ build a graph: weights, inputs, caches and standard blocks.
/// A request for a weight is what makes it exist for placement and allocation. Tensors have the names of
/// llama.cpp's graphs, such as "Qcur-0"; an empty name leaves a step unnamed.
class ModelBuilder {
 public:
    ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                 const ModelGraphOptions& options, const ModelPlacement& placement);

    GraphBuilder& graph() { return graph_; }
    const Hyperparameters& hyperparameters() const { return h_; }
    const ModelGraphOptions& options() const { return options_; }
    /// Keys of this architecture.
    const Keys& keys() const { return keys_; }
    /// Keys with another prefix.
    Keys keys_with_prefix(std::string prefix) const { return Keys(file_, std::move(prefix)); }
    std::int64_t tokens() const { return options_.tokens; }
    /// Whether to build the graph form of February 2025; the functions below account for the differences.
    bool is_2025_02() const { return options_.form == GraphForm::g2025_02; }
    /// Number of blocks in the graph.
    std::int32_t layers() const { return static_cast<std::int32_t>(h_.shape.layers - h_.predicting_blocks); }
    bool is_last(std::int32_t layer) const { return layer + 1 == layers(); }
    std::int64_t width() const { return h_.shape.embedding; }

    // Weights. Required ones throw Error(bad_file) if the file lacks them or their shape differs.

    /// A weight of the input layer, of block `layer` ("blk.<layer>.<suffix>"), or of the output layer.
    TensorId input_weight(const std::string& name, const Shape& ne);
    TensorId block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    TensorId output_weight(const std::string& name, const Shape& ne);
    /// Whether the file has a tensor that the graph may use.
    bool has(const std::string& name) const {
        return file_.find_tensor(name).has_value() && !lists(unused_, kind_of_tensor(name));
    }
    bool block_has(std::int32_t layer, std::string_view suffix) const {
        return has(block_name(layer, suffix));
    }
    /// Block names become "<prefix>blk.<layer>".
    void set_block_prefix(std::string prefix) { block_prefix_ = std::move(prefix); }
    /// Layers use the weights of the block `shift` positions earlier: repeated blocks have a cache each, but
    /// share their weights, without the weights' scales.
    void set_block_shift(std::int32_t shift) { block_shift_ = shift; }
    std::string block_name(std::int32_t layer, std::string_view suffix) const;
    /// A vector of the block with the embedding's width.
    TensorId block_vector(std::int32_t layer, std::string_view suffix) {
        return block_weight(layer, suffix, {width(), 1, 1, 1});
    }
    /// Throws Error(bad_file) if the file has this tensor, which llama.cpp's loader does not read in the
    /// block.
    void refuse_unread(std::int32_t layer, std::string_view suffix) const;
    /// The block's weight if the file has it, else none.
    TensorId optional_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    /// Number of rows of a block's weight, for widths without metadata. Throws as above.
    std::int64_t block_rows(std::int32_t layer, std::string_view suffix) const {
        return rows_of(block_name(layer, suffix));
    }
    std::int64_t rows_of(const std::string& name) const;
    /// The block's weight, which the file may store in another shape with as many elements. Throws as above.
    TensorId reshaped_weight(std::int32_t layer, std::string_view suffix, const Shape& ne);
    /// As above, of the output layer.
    TensorId reshaped_output_weight(const std::string& name, const Shape& ne);
    /// A weight of the block with the shape it has in the file. Throws as above.
    TensorId stored_weight(std::int32_t layer, std::string_view suffix);
    /// Number of elements of a vector in the file, for widths without metadata.
    std::int64_t rows_of_vector(const std::string& name) const;
    /// A weight of `layer` whose name has no block number.
    TensorId weight(std::int32_t layer, const std::string& name, const Shape& ne);

    // Inputs and caches.

    /// The index of blocks of this many cells in ModelGraph::pooled_blocks, for inputs.
    std::uint8_t pooled_blocks(std::uint32_t cells);
    /// n-grams select the rows of ModelInput::ngram_rows in this way.
    void hash_ngrams(NgramHash hash) { model_graph_.ngrams = std::move(hash); }
    /// `node` counts as an operation of `block` when llama.cpp decides whether to use it.
    void note_fused(std::int32_t block, TensorId node) { model_graph_.fused.push_back({block, node}); }
    /// Whether llama.cpp replaces the operation by several others.
    bool is_unfused(Op op) const;
    /// An input of the graph; repeated calls return the same tensor. `compressed`: see InputBinding.
    TensorId input(ModelInput kind, ElementType type, const Shape& ne, std::string name,
                   std::uint8_t compressed = 0);
    /// A tensor of the layer's cache, whose content persists between graphs.
    TensorId cache_tensor(std::int32_t layer, const std::string& name, ElementType type, const Shape& ne);

    /// Token embeddings [embedding, tokens], multiplied by `scale` unless that is 0.
    TensorId embed_tokens(float scale = 0.0F, const std::string& table = "token_embd.weight");
    /// Adds image features to the first layers; a no-op for text, but part of the graph.
    TensorId add_deepstack(TensorId x, std::int32_t layer);
    TensorId positions();
    /// Learned position embeddings [embedding, tokens].
    TensorId embed_positions();
    /// Indices of the rows of the last layer that become outputs.
    TensorId output_rows();
    /// Position-dependent scale of each token's queries.
    TensorId attention_scale(const AttentionScale& growth);

    // Steps.

    TensorId named(TensorId id, std::string_view name, std::int32_t layer = -1);
    /// Normalises rows, multiplies by `weight` and adds `bias`, each if present. Intermediate steps are named
    /// "norm" and "norm_w".
    TensorId normalise(NormKind kind, TensorId x, TensorId weight, TensorId bias, std::string_view name,
                       std::int32_t layer);
    TensorId rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer) {
        return normalise(NormKind::rms, x, weight, {}, name, layer);
    }
    TensorId layer_norm(TensorId x, TensorId weight, TensorId bias, std::string_view name,
                        std::int32_t layer) {
        return normalise(NormKind::layer, x, weight, bias, name, layer);
    }
    /// The norm with the block's `part`.weight and, for layer norms, `part`.bias if present. `name` defaults
    /// to the part.
    TensorId block_norm(NormKind kind, TensorId x, std::int32_t layer, std::string_view part,
                        std::string_view name = {});
    TensorId block_rms_norm(TensorId x, std::int32_t layer, std::string_view part,
                            std::string_view name = {}) {
        return block_norm(NormKind::rms, x, layer, part, name);
    }
    /// Norm per head, with the head size of the weight; returns `x` if the file has no such weight.
    TensorId head_norm(TensorId x, std::int32_t layer, std::string_view part, std::string_view name);

    /// The scale of the block's weight `part`, with `count` elements; none if the file lacks it or the graphs
    /// of the architecture do not read it.
    TensorId weight_scale(std::int32_t layer, std::string_view part, std::int64_t count = 1);
    /// The product with the weight `part`, times the weight's scale if there is one.
    TensorId scaled(TensorId product, std::int32_t layer, std::string_view part);
    /// The product with the weight `part`, plus the weight's bias if present.
    TensorId biased(TensorId product, std::int32_t layer, std::string_view part, std::string_view name = {});
    /// x times the block's weight `part` with `out` rows, whatever its scale.
    TensorId unscaled_product(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                              std::string_view name = {});
    /// x times the block's weight `part` with `out` rows, scaled.
    TensorId product(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                     std::string_view name = {});
    /// As product(), plus its bias if present.
    TensorId project(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                     std::string_view product_name, std::string_view biased_name);
    /// As project(); only the last step has a name.
    TensorId project_unnamed(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                             std::string_view name) {
        return named(project(x, layer, part, out, {}, {}), name, layer);
    }
    /// The projection reshaped to [dim, count, tokens]; all steps have the same name.
    TensorId project_heads(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                           std::int64_t count, std::string_view name);
    /// As project_heads(), in the shape that attend() expects for values.
    TensorId project_values(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                            std::int64_t count, std::string_view name);
    /// A part of the rows of `x`, starting at element `first`, made contiguous: [width, rows].
    TensorId part_rows(TensorId x, std::int64_t first, std::int64_t width);
    /// Heads in the rows of `x`, starting at element `first`: [dim, count, tokens].
    TensorId part_heads(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                        std::string_view name, std::int32_t layer);
    TensorId part_values(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                         std::string_view name, std::int32_t layer);
    /// Fused queries, keys and values ("attn_qkv") plus the fused bias or, without one, the three separate
    /// ones.
    TensorId project_qkv(TensorId x, std::int32_t layer, std::int64_t q_row, std::int64_t k_row,
                         std::int64_t v_row, std::string_view product_name = "wqkv");
    /// Rows [width, tokens] named `q_name`, "Kcur" and "Vcur", from fused or separate weights.
    Heads qkv_rows(TensorId x, std::int32_t layer, std::int64_t q_row, std::int64_t k_row, std::int64_t v_row,
                   std::string_view q_name = "Qcur");
    /// "Qcur", "Kcur" and "Vcur" of the layer, from one product with "attn_qkv" if present, else from three.
    /// Elements are clamped to ±`clamp` if it is not 0.
    Heads heads(TensorId x, std::int32_t layer, float clamp = 0.0F, std::string_view product_name = "wqkv");
    /// Rotary position embedding with the layer's parameters.
    TensorId rope(TensorId x, std::int32_t layer, std::string_view name, TensorId frequency_factors = {});
    TensorId rope_with(const RopeParameters& parameters, TensorId x, std::int32_t layer,
                       std::string_view name, TensorId frequency_factors = {});
    /// The layer's RoPE parameters.
    RopeParameters rope_parameters(std::int32_t layer) const;
    /// Frequency factors if present: of Llama 3, or for contexts shorter or longer than in training.
    TensorId frequency_factors(std::int32_t layer);
    TensorId frequency_factors_of(std::int32_t layer, std::int32_t dims);
    /// In the last layer, reduces the block's output `x` and its input `residual` to the rows that become
    /// outputs.
    void keep_outputs_of_last(std::int32_t layer, TensorId& x, TensorId& residual);

    // Attention.

    /// Writes keys and values of the batch into the layer's cache and attends over the cells: [head_dim_v ·
    /// heads, tokens]. Sliding-window layers use their own mask. Models without a cache attend within the
    /// batch.
    TensorId attend(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    TensorId attend(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale,
                    TensorId sinks = {}) {
        return attend({q, k, v}, layer, {.scale = scale, .sinks = sinks});
    }
    /// Attends over the cache of an earlier layer, without keys and values of its own.
    TensorId attend_shared(TensorId q, std::int32_t layer, std::int32_t owner, float scale);
    /// The cache holds keys only; values are their first elements.
    TensorId attend_latent(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    /// The top cells [count, tokens of a stream, 1, streams] of each token by the scores of an indexer with
    /// its own key cache: `q` [size, heads, tokens], `k` [size, 1, tokens], `weights` of the heads.
    struct Indexer {
        TensorId q;
        TensorId k;
        std::int64_t count = 0;
        bool rotates = false;  ///< `q` and `k` are rotated before they are compared
        bool names_weights = true;
    };
    TensorId top_cells(const Indexer& indexer, const std::function<TensorId()>& weights, std::int32_t layer);
    /// Attention to the top blocks of positions of each token, by the scores of an indexer with one head per
    /// head of keys; the nearest blocks are always among them.
    struct BlockIndexer {
        TensorId q;
        TensorId k;
        std::int64_t block = 1;  ///< positions per block
        std::int64_t count = 1;  ///< blocks per token
        std::uint32_t nearest = 0;
    };
    TensorId attend_blocks(const Heads& heads, const BlockIndexer& indexer, std::int32_t layer, float scale);
    /// Cross-attention to the encoder's output, without a mask.
    TensorId attend_encoded(const Heads& heads, std::int32_t layer, float scale);
    /// Output of the encoder [embedding, tokens].
    TensorId encoder_rows();
    /// Distance class of each token and cell: [cells, tokens].
    TensorId distance_buckets(std::uint32_t classes, std::int64_t cells);
    /// Mask [cells, tokens of a stream, 1, streams]; sliding-window layers have their own.
    TensorId attention_mask(std::int32_t layer);
    /// Queries split by cache streams, heads outermost.
    TensorId permuted_query(TensorId q, std::int64_t streams);
    /// Attention over queries, keys and values with heads outermost: [width, tokens].
    TensorId mix_heads(TensorId q, TensorId k, TensorId v, TensorId mask, std::int32_t layer,
                       const AttendOptions& options, bool transposed_values);
    /// `mask` with all cells hidden but the chosen ones, which `shown` zeros reveal.
    TensorId mask_of_chosen(TensorId mask, TensorId chosen, ElementType shown = ElementType::f32);
    /// `x` rotated by the matrix, in pieces of its size; returns `x` if it is not valid.
    TensorId rotate(TensorId x, TensorId rotation);
    /// 1 / √(head size).
    float score_scale(std::int32_t layer) const;

    // Feed-forward.

    /// activation(gate) · value, of equal shape. `name` is that of the block, such as "ffn".
    TensorId gate_with(GluKind kind, TensorId gate, TensorId value, std::string_view name,
                       std::int32_t layer);
    /// As gate_with(), with gate and value in the halves of each row of one tensor.
    TensorId gate_halves(GluKind kind, TensorId both, std::string_view name, std::int32_t layer);
    /// Requests GGML_PREC_F32 (10) for a product.
    void set_full_precision(TensorId product);

    // Output layer and results.

    /// Keeps only the rows that become outputs.
    TensorId keep_outputs(TensorId x) { return graph_.get_rows(x, output_rows()); }

    /// Final norm; a layer norm if the file has a bias or `kind` says so.
    TensorId final_norm(TensorId x, NormKind kind = NormKind::rms);
    /// Product with "output.weight", or with the token embeddings if that is absent, scaled; unnamed.
    TensorId lm_head(TensorId x);
    /// Times "output.scale" if present.
    TensorId scaled_output(TensorId product);
    /// As lm_head(), plus "output.bias" if present.
    TensorId lm_head_with_bias(TensorId x, std::string_view product_name = {});
    /// Soft cap of the logits, if the model has one.
    TensorId cap_output(TensorId logits);
    /// final_norm(), lm_head() and cap_output(), then finish().
    ModelGraph finish_with_logits(TensorId x, NormKind kind = NormKind::rms);
    ModelGraph finish_with_named_logits(TensorId logits);
    /// Ends the graph of an embedding model.
    ModelGraph finish_with_embeddings(TensorId x, std::string_view name = "result_embd");

    /// Number of recurrent states that are kept, those of other batches included.
    std::int64_t states() const { return options_.states > 0 ? options_.states : options_.sequences; }
    /// Those that the graph reads: all in a reservation.
    std::int64_t used_states() const { return options_.reserves ? states() : options_.sequences; }
    /// The state that each used state continues: indices of recurrent states.
    TensorId recurrent_states();

    /// Ends the graph with its result, or with the embeddings if the options ask for them.
    ModelGraph finish(TensorId result);
    /// Returns the embeddings of the tokens (llama.cpp's t_embd), an additional output.
    TensorId keep_embeddings(TensorId x);
    void flag_output(TensorId id);
    /// An additional output for draft models.
    void keep_for_drafts(TensorId x);
    /// Whether tokens attend only to earlier ones.
    bool causal() const { return h_.causal; }
    /// Whether tokens attend to those of their batch only.
    bool within_batch() const { return h_.caches == CacheKinds::none || options_.encodes; }

 private:
    // Embeddings of sequences, one row each (pooling.cpp).
    TensorId mean_of_tokens(TensorId x);
    TensorId one_token(TensorId x);
    /// `part`.weight and `part`.bias, as far as the file has them.
    TensorId dense_output(TensorId x, const std::string& part);
    TensorId rank(TensorId x);
    TensorId pool(TensorId x);

    TensorId reshaped(std::int32_t layer, const std::string& name, const Shape& ne);
    /// Name of a norm's weight; some architectures omit ".weight".
    std::string norm_weight(std::int32_t layer, std::string_view part) const;
    /// Whether the graphs of the architecture multiply products with this weight by its scale.
    bool reads_scale(std::string_view part) const;
    /// Index of a tensor in the file. Throws Error(bad_file) if it is absent.
    std::size_t required(const std::string& name) const;
    /// A weight of shape `ne`, which the file must have as `stored`.
    TensorId weight_stored_as(std::int32_t layer, const std::string& name, const Shape& ne,
                              const Shape& stored);

    struct Cache {
        TensorId k;
        TensorId v;
    };

    TensorId cache_rows_k(std::int32_t layer);
    TensorId cache_rows_v(std::int32_t layer, std::int64_t row);
    bool values_in_rows() const { return options_.flash_attention || options_.values_in_rows; }
    bool slides(std::int32_t layer) const { return h_.slides(static_cast<std::size_t>(layer)); }
    /// Cells of the layer's cache that are read, and that exist.
    std::int64_t cells(std::int32_t layer) const;
    std::int64_t context(std::int32_t layer) const;
    std::int64_t streams() const { return options_.streams; }
    /// Elements of a row of the value cache.
    std::int64_t v_cache_row(std::int32_t layer) const;
    Cache cache(std::int32_t layer);
    void write_keys(TensorId cache, TensorId k, std::int32_t layer);
    void write_values(TensorId cache, TensorId v, std::int32_t layer);
    /// Views of the cells in use, permuted with heads outermost.
    TensorId cached_keys(const Cache& cache, std::int32_t layer);
    TensorId cached_values(const Cache& cache, std::int32_t layer);

    std::int64_t deepstack_layers() const;

    /// Rotation matrix that reduces quantisation errors; none if the cache is not quantised.
    TensorId rotation(std::int32_t layer, bool values);

    TensorId attend_2025_02(TensorId q, TensorId k, TensorId v, std::int32_t layer, float scale);
    TensorId mask_2025_02(std::int32_t layer);
    void write_cache_2025_02(const Cache& cache, TensorId k, TensorId v, std::int32_t layer);
    TensorId mix_2025_02(const Cache& cache, TensorId query, std::int32_t layer, float scale);

    TensorId attend_within_batch(const Heads& heads, std::int32_t layer, const AttendOptions& options);
    TensorId batch_mask(std::int32_t layer);
    /// Writes the keys `k` [size, 1, tokens] of a small attention into its cache: [size, 1, cells, streams].
    TensorId indexer_keys(TensorId k, std::int32_t layer);
    struct BlockInputs;
    /// One token per stream: its blocks are gathered.
    TensorId attend_gathered(TensorId q, const BlockIndexer& indexer, const BlockInputs& in,
                             std::int32_t layer, float scale);
    /// The tokens of one stream: all cells, those of other blocks masked.
    TensorId attend_masked(TensorId q, const BlockIndexer& indexer, const BlockInputs& in,
                           std::int64_t stream, std::int32_t layer, float scale);
    /// The mask of the layer in full precision, built once.
    TensorId full_mask(std::int32_t layer);
    TensorId mix_blocks(TensorId q, TensorId k, TensorId v, TensorId mask, std::int32_t layer, float scale);
    TensorId cap(TensorId scores, std::int32_t layer);

    const GgufFile& file_;
    const Hyperparameters& h_;
    const ModelGraphOptions options_;
    const ModelPlacement& placement_;
    Keys keys_;
    const NameList unused_;  ///< kinds of tensors that the graph does not use
    std::string block_prefix_;
    std::int32_t block_shift_ = 0;
    GraphBuilder graph_;
    ModelGraph model_graph_;
    TensorId embeddings_;  ///< of tokens
    TensorId wide_embeddings_;
    TensorId full_mask_;
    std::map<std::pair<std::string, std::string>, TensorId> weights_;  ///< by name and buffer
    std::map<std::pair<ModelInput, std::uint8_t>, TensorId> inputs_;
    std::map<ModelInput, TensorId> half_masks_;
    std::map<std::int32_t, Cache> caches_;  ///< of the layers that have one
};

}  // namespace splitscope
