// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/messages/message.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/tokenizer.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Numbers of a model's shape that people ask for first; the builders keep more to themselves.
struct ModelShape {
    std::string architecture;
    std::uint32_t layers = 0;
    std::uint32_t embedding = 0;
    std::uint32_t heads = 0;
    std::uint32_t kv_heads = 0;
    std::uint32_t vocabulary = 0;
    std::uint32_t context = 0;  ///< the length it was trained for
};

/// Where weights and caches are pre-allocated: names of buffers, which become Graph::buffers. `layer` is 0 …
/// layers-1 for blocks, `layers` for the output layer, -1 for the input layer (embeddings).
struct ModelPlacement {
    std::function<std::string(std::int32_t layer, const std::string& tensor)> weight_buffer;
    std::function<std::string(std::int32_t layer)> cache_buffer;
    /// Buffer of the graph's inputs; empty = the allocator places them (2024-01 knows no inputs, so its
    /// programs kept them in a buffer of their own).
    std::string input_buffer;
};

/// How graph builders of a time write the same model. Each generation of the scheduler gets one it knows.
enum class GraphForm : std::uint8_t {
    g2025_02,  ///< caches written with CPY, gates as UNARY and MUL: known to every generation
    g2026_08,  ///< caches written with SET_ROWS, gates as GLU: known to 2026-08
};

struct ModelGraphOptions {
    GraphForm form = GraphForm::g2026_08;
    std::uint32_t first_cell = 0;  ///< where the tokens go in the cache; only written into the form 2025-02
    std::uint32_t tokens = 1;      ///< tokens computed at once
    std::uint32_t cells = 256;     ///< cells of the KV cache that are read and masked (n_kv)
    std::uint32_t context = 256;   ///< cells of the KV cache tensors
    /// The same for layers that look back only at a window, whose cells are used in turn; 0 = as the others.
    std::uint32_t window_cells = 0;
    std::uint32_t window_context = 0;
    std::uint32_t outputs = 1;  ///< rows of logits; the last tokens of the batch
    /// Sequences that share the tokens evenly, and the streams of the cache that hold them: one for all, or
    /// one for each with `cells` and `context` of its own.
    std::uint32_t sequences = 1;
    std::uint32_t streams = 1;
    /// Models that turn texts into vectors end with one vector per sequence instead of one per token.
    bool pooled = false;
    bool flash_attention = false;
    /// The batch begins a sequence, so recurrent states are cleared first. Models with a KV cache have no use
    /// for it.
    bool starts_sequence = false;
    ElementType cache_type_k = ElementType::f16;
    ElementType cache_type_v = ElementType::f16;
};

/// A weight of the graph and the tensor of the file it comes from.
struct WeightBinding {
    TensorId tensor;
    std::size_t file_tensor = 0;  ///< index into GgufFile::tensors()
};

/// An input the graph reads and how a run fills it.
enum class ModelInput : std::uint8_t {
    tokens,
    layer_tokens,  ///< the same for embeddings of single layers
    positions,
    attention_mask,
    swa_attention_mask,
    output_rows,
    cache_rows_k,
    cache_rows_v,
    swa_cache_rows_k,
    swa_cache_rows_v,
    recurrent_states,  ///< which recurrent state each sequence continues
    attention_scale,   ///< of queries far behind the trained length
    rotation_k,        ///< orthogonal matrices that keys and values turn by before they are quantised
    rotation_v,
    swa_rotation_k,
    swa_rotation_v,
    mean_rows,         ///< weights of the tokens in the mean of their sequence
    class_rows,        ///< the token that stands for its sequence
    distance_buckets,  ///< how far apart token and cell are, in classes
    encoder_rows,      ///< what an encoder made of its tokens
    encoder_mask
};

struct InputBinding {
    ModelInput input = ModelInput::tokens;
    TensorId tensor;
};

/// How ModelInput::attention_scale grows with the position.
struct AttentionScale {
    float factor = 0.0F;
    std::uint32_t floor = 0;  ///< positions per step
    float offset = 0.0F;
};

/// Attention as a single operation.
struct FlashAttentionNode {
    std::int32_t block = 0;
    TensorId node;
};

/// A model's graph and what connects it to the outside.
struct ModelGraph {
    Graph graph;
    ModelGraphOptions options;
    std::vector<WeightBinding> weights;
    std::vector<InputBinding> inputs;
    /// KV caches and recurrent states, which live from one graph to the next by name.
    std::vector<TensorId> caches;
    std::vector<FlashAttentionNode> flash_attentions;
    TensorId logits;           ///< [vocabulary, outputs] (or embeddings for models without logits)
    std::uint32_t window = 0;  ///< cells that sliding-window layers look back at, the own one included
    WindowKind window_kind = WindowKind::none;
    bool causal = true;  ///< tokens look only at earlier ones and themselves
    /// Masks tell how far cells are from the tokens, not only which are hidden.
    bool distances = false;
    bool pools_last = false;  ///< the last token stands for its sequence, not the first
    AttentionScale attention_scale;
    std::uint32_t distance_buckets = 0;  ///< classes of ModelInput::distance_buckets
};

/// A model as its file describes it. Immutable.
class Model {
 public:
    virtual ~Model() = default;
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    virtual const ModelShape& shape() const = 0;
    virtual const GgufFile& file() const = 0;
    std::string name() const;

    /// The compute graph. Throws Error(unsupported) when the file's tensors do not fit the architecture.
    virtual ModelGraph build_graph(const ModelGraphOptions& options,
                                   const ModelPlacement& placement) const = 0;
    /// It turns texts into vectors, one per token, and generates nothing.
    virtual bool gives_embeddings() const = 0;
    /// Null when the file has no usable vocabulary.
    virtual const Tokenizer* tokenizer() const = 0;

    /// Why it cannot compute (weights absent, vocabulary cut, …), or nothing when it can.
    virtual std::optional<Message> why_not_runnable() const = 0;
};

/// The bytes an input tensor is filled with before a run.
struct BatchPosition {
    std::vector<std::int32_t> tokens;
    std::uint32_t first_position = 0;  ///< position of tokens[0] in the sequence = cells already used
};
std::vector<std::byte> input_bytes(const ModelGraph& graph, const InputBinding& input,
                                   const BatchPosition& batch);

/// Throws Error(unsupported) naming the architecture when there is no builder for it.
std::shared_ptr<const Model> make_model(std::shared_ptr<const GgufFile> file, const JobContext& job = {});

}  // namespace splitscope
