// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/pooling.hpp"
#include "engine/models/tokenizer.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// The main figures of a model's shape.
struct ModelShape {
    std::string architecture;
    std::uint32_t layers = 0;
    std::uint32_t embedding = 0;
    std::uint32_t heads = 0;
    std::uint32_t kv_heads = 0;
    std::uint32_t vocabulary = 0;
    std::uint32_t context = 0;  ///< the length it was trained for
};

/// Buffers in which weights and caches are pre-allocated; their names become Graph::buffers. `layer` is 0 …
/// layers-1 for blocks, `layers` for the output layer, -1 for the input layer (embeddings).
struct ModelPlacement {
    std::function<std::string(std::int32_t layer, const std::string& tensor)> weight_buffer;
    std::function<std::string(std::int32_t layer)> cache_buffer;
    /// Buffer of the graph's inputs; empty = placed by the allocator. (The scheduler of 2024-01 does not know
    /// inputs, so its programs kept them in a separate buffer.)
    std::string input_buffer;
};

/// The graph form of a llama.cpp version. Each scheduler generation gets a form that it supports.
enum class GraphForm : std::uint8_t {
    g2025_02,  ///< caches written with CPY, gates as UNARY and MUL: known to every generation
    g2026_08,  ///< caches written with SET_ROWS, gates as GLU: known to 2026-08
};

struct ModelGraphOptions {
    GraphForm form = GraphForm::g2026_08;
    std::uint32_t first_cell =
        0;  ///< first cell for the tokens in the cache; only form 2025-02 and compressed keys depend on it
    std::uint32_t tokens = 1;     ///< tokens computed at once
    std::uint32_t cells = 256;    ///< cells of the KV cache that are read and masked (n_kv)
    std::uint32_t context = 256;  ///< cells of the KV cache tensors
    /// As `cells`, for sliding-window layers, whose cells are reused cyclically; 0 = as `cells`.
    std::uint32_t window_cells = 0;
    std::uint32_t window_context = 0;
    std::uint32_t outputs = 1;  ///< rows of logits: those of the last tokens of the batch
    /// Sequences that share the tokens evenly, and cache streams that hold them: one for all, or one each
    /// with its own `cells` and `context`.
    std::uint32_t sequences = 1;
    std::uint32_t streams = 1;
    std::uint32_t states = 0;  ///< recurrent states that are kept; 0 = one for each sequence
    /// The caches can hold several sequences in one stream, although the batch may have one only.
    bool shared_stream = false;
    /// The encoder's graph instead of the decoder's, in models with both.
    bool encodes = false;
    std::uint32_t encoded = 0;  ///< rows of the encoder that the decoder reads; 0 = as trained
    /// The result is embeddings, pooled as the file says, unless `pooling` does.
    bool embeddings = false;
    std::optional<Pooling> pooling = std::nullopt;
    bool flash_attention = false;
    /// Values are cached in rows, the layout for flash attention, although it is off.
    bool values_in_rows = false;
    /// The batch starts a sequence, so recurrent states are cleared first. No effect on KV caches.
    bool starts_sequence = false;
    /// The graph is built to reserve memory; the caches are empty.
    bool reserves = false;
    /// Operations that llama.cpp replaces by several others, because a block's device lacks them.
    std::vector<Op> unfused{};
    /// CLAMP is a view of its source, as in llama.cpp before v0.5.0 and always in form 2025-02.
    bool clamps_in_place = false;
    ElementType cache_type_k = ElementType::f16;
    ElementType cache_type_v = ElementType::f16;

    bool operator==(const ModelGraphOptions&) const = default;
};

/// A weight of the graph and its tensor in the file.
struct WeightBinding {
    TensorId tensor;
    std::size_t file_tensor = 0;  ///< index into GgufFile::tensors()
};

/// An input of the graph and how a run fills it.
enum class ModelInput : std::uint8_t {
    tokens,
    layer_tokens,  ///< token ids for per-layer embeddings
    positions,
    attention_mask,
    swa_attention_mask,
    output_rows,
    cache_rows_k,
    cache_rows_v,
    swa_cache_rows_k,
    swa_cache_rows_v,
    recurrent_states,  ///< index of the recurrent state that each sequence continues
    attention_scale,   ///< scale of queries beyond the training context
    rotation_k,        ///< orthogonal matrices by which keys and values are rotated before quantisation
    rotation_v,
    swa_rotation_k,
    swa_rotation_v,
    mean_rows,         ///< weight of each token in its sequence's mean
    class_rows,        ///< the token that represents its sequence
    distance_buckets,  ///< distance class of token and cell
    encoder_rows,      ///< output of the encoder
    indexer_mask,      ///< attention_mask, cache_rows_k and rotation_k of an indexer
    indexer_rows,
    indexer_rotation,
    position_mask,   ///< positions visible to each token
    position_cells,  ///< the cell of each position, as I32 or F32
    position_cells_f32,
    cell_blocks,  ///< the block of positions of each cell
    block_bias,   ///< ranks the blocks next to each token first
    encoder_mask,
    /// Logarithms of the decays of lightning attention: up to a query, after a key, between both, and per
    /// head and token.
    query_decays,
    key_decays,
    mutual_decays,
    decay_slopes,
    /// Of compressed keys: the place of each token within its key; the tokens whose rows are kept, and where;
    /// the rows that keys are computed from; the cells and positions of these keys; and their visibility.
    compressed_phases,
    compressed_kept,
    compressed_kept_rows,
    compressed_reads,
    compressed_cells,
    compressed_positions,
    compressed_mask,
    compressed_rotation,
    ngram_rows,  ///< rows of a table of n-grams that end with each token
    /// Of pooled blocks: the block of each cell, the cells of each block, the positions of the blocks, and
    /// which blocks each token sees, or which cells.
    pooled_cell_blocks,
    pooled_block_cells,
    pooled_positions,
    pooled_block_bias,
    pooled_cell_bias
};

struct InputBinding {
    ModelInput input = ModelInput::tokens;
    TensorId tensor;
    /// Index into ModelGraph::compressed or ModelGraph::pooled_blocks, for inputs of those.
    std::uint8_t compressed = 0;
};

/// Growth of ModelInput::attention_scale with the position.
struct AttentionScale {
    float factor = 0.0F;
    std::uint32_t floor = 0;  ///< positions per step
    float offset = 0.0F;
};

/// An operation that llama.cpp replaces by several others where the block's device lacks it.
struct FusedNode {
    std::int32_t block = 0;
    TensorId node;
};

/// A cache of keys that stand for several tokens each. Every token writes a row to a small state; the last
/// token of each group computes the key from these rows.
struct CompressedKeys {
    std::uint32_t ratio = 1;  ///< tokens per key
    bool overlaps = false;    ///< keys are also made from the tokens of the key before
    std::uint32_t cells = 0;  ///< of the cache, per sequence

    std::uint32_t state_rows() const { return overlaps ? 2 * ratio : ratio; }
};

/// How n-grams select rows of a table of embeddings: each head hashes the last tokens into its own range.
struct NgramHash {
    std::uint32_t longest = 0;           ///< n-grams have 2 … `longest` tokens
    std::uint32_t heads_per_length = 0;  ///< rows per length
    std::int32_t boundary = 0;           ///< the token that n-grams do not cross, and their padding
    std::vector<std::uint64_t> factors;  ///< of the tokens, the last one first
    std::vector<std::uint32_t> offsets;  ///< of the heads' ranges, and how many rows they have
    std::vector<std::uint32_t> sizes;

    std::uint32_t heads() const { return (longest - 1) * heads_per_length; }
};

/// A model's graph with its bindings.
struct ModelGraph {
    Graph graph;
    ModelGraphOptions options;
    std::vector<WeightBinding> weights;
    std::vector<InputBinding> inputs;
    /// KV caches and recurrent states, which persist between graphs by name.
    std::vector<TensorId> caches;
    std::vector<FusedNode> flash_attentions;
    std::vector<FusedNode> fused;  ///< the others, of the operations that ModelGraphOptions::unfused lists
    std::vector<CompressedKeys> compressed;
    NgramHash ngrams;                          ///< of ModelInput::ngram_rows
    std::vector<std::uint32_t> pooled_blocks;  ///< cells per pooled block
    /// Results of unfused attention, which are pinned to the CPU if the caches are in host memory.
    std::vector<TensorId> plain_attentions;
    TensorId logits;                      ///< [vocabulary, outputs] (or embeddings for models without logits)
    std::optional<std::uint32_t> window;  ///< cells visible to layers that slide, the token's own included
    WindowKind window_kind = WindowKind::none;
    bool causal = true;  ///< tokens attend only to themselves and earlier tokens
    /// Masks hold distances between tokens and cells, not only visibility.
    bool distances = false;
    /// llama.cpp also reserves this model's prompt as one sequence, while its caches hold all.
    bool reserves_one_sequence = false;
    bool pools_last = false;  ///< the last token represents its sequence, instead of the first
    AttentionScale attention_scale;
    std::uint32_t distance_buckets = 0;  ///< classes of ModelInput::distance_buckets
    std::uint32_t block_size = 0;        ///< positions per block of ModelInput::cell_blocks
    std::uint32_t local_blocks = 0;      ///< nearest blocks that ModelInput::block_bias ranks first
};

/// A model as described by its file. Immutable.
class Model {
 public:
    virtual ~Model() = default;
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    virtual const ModelShape& shape() const = 0;
    virtual const GgufFile& file() const = 0;
    std::string name() const;

    /// Builds the compute graph. Throws Error(unsupported) if the file's tensors do not fit the architecture.
    virtual ModelGraph build_graph(const ModelGraphOptions& options,
                                   const ModelPlacement& placement) const = 0;
    /// An embedding model: returns vectors and does not generate text.
    virtual bool gives_embeddings() const = 0;
    /// Whether a prompt must be computed in one graph, because tokens attend to later ones or a decoder reads
    /// all of it.
    virtual bool needs_whole_prompt() const = 0;
    /// The token that the decoder starts with, in models whose decoder reads an encoder's output.
    virtual std::optional<std::int32_t> decoder_start() const = 0;
    /// Null if the file has no usable vocabulary; the model then computes token ids only.
    virtual const Tokenizer* tokenizer() const = 0;
    /// Why tokenizer() is null; empty if it is not.
    virtual const Message& why_no_tokenizer() const = 0;

    /// Whether graphs with these options, which only differ in `first_cell`, are equal.
    virtual bool same_graph(const ModelGraphOptions& a, const ModelGraphOptions& b) const = 0;

    /// Why the model cannot be run (no weights, …); empty if it can.
    virtual std::optional<Message> why_not_runnable() const = 0;
};

/// A batch of tokens and its position, from which the inputs are filled.
struct BatchPosition {
    std::vector<std::int32_t> tokens;
    std::uint32_t first_position = 0;     ///< position of tokens[0] in the sequence = cells already used
    std::vector<float> encoded{};         ///< what the encoder returned for the sequence
    std::vector<std::int32_t> earlier{};  ///< the sequence's tokens before those of the batch
};
std::vector<std::byte> input_bytes(const ModelGraph& graph, const InputBinding& input,
                                   const BatchPosition& batch);

/// Throws Error(unsupported) with the architecture if it is not supported.
std::shared_ptr<const Model> make_model(std::shared_ptr<const GgufFile> file, const JobContext& job = {});

}  // namespace splitscope
