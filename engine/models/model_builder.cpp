// SPDX-License-Identifier: MIT
#include "engine/models/model_builder.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "engine/formats/messages.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

std::string graph_name(const Hyperparameters& h, const ModelGraphOptions& options) {
    if (options.tokens == 1) return fmt::format("{} decode, 1 token", h.shape.architecture);
    return fmt::format("{} prefill, {} tokens", h.shape.architecture, options.tokens);
}

bool has_weight(NormKind kind) {
    return kind != NormKind::plain_rms && kind != NormKind::plain_layer;
}
bool has_bias(NormKind kind) {
    return kind == NormKind::layer || kind == NormKind::rms_biased;
}

}  // namespace

ModelBuilder::ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                           const ModelGraphOptions& options, const ModelPlacement& placement)
    : file_(file),
      h_(hyperparameters),
      options_(options),
      placement_(placement),
      keys_(file),
      unused_(architecture_or_default(hyperparameters.shape.architecture).loader.unused),
      graph_(graph_name(hyperparameters, options)) {
    model_graph_.options = options;
    graph_.set_clamps_in_place(options.clamps_in_place || is_2025_02());
    // Without a cache, attention is not causal.
    model_graph_.causal = h_.causal && !within_batch();
    model_graph_.window_kind = h_.window_kind;
    model_graph_.distances = h_.alibi_bias > 0.0F;
}

// --- weights
// -----------------------------------------------------------------------------------------------------

std::size_t ModelBuilder::required(const std::string& name) const {
    const auto found = file_.find_tensor(name);
    if (!found) {
        constexpr std::string_view kQuery = "attn_q.weight";
        if (name.ends_with(kQuery) && has(name.substr(0, name.size() - kQuery.size()) + "attn_qkv.weight"))
            throw Error(ErrorKind::unsupported, msg::kCombinedProduct, ErrorPlace(file_.path()),
                        msg::kOpenCapture);
        throw Error(ErrorKind::bad_file, msg::kTensorMissing,
                    ErrorPlace(msg::kPlaceTensor(name)).within(file_.path()),
                    msg::kArchitectureNeedsTensor(h_.shape.architecture));
    }
    return *found;
}

std::int64_t ModelBuilder::rows_of(const std::string& name) const {
    return file_.tensors()[required(name)].ne[1];
}

TensorId ModelBuilder::stored_weight(std::int32_t layer, std::string_view suffix) {
    const std::string name = block_name(layer, suffix);
    return weight(layer, name, file_.tensors()[required(name)].ne);
}

std::int64_t ModelBuilder::rows_of_vector(const std::string& name) const {
    return file_.tensors()[required(name)].ne[0];
}

TensorId ModelBuilder::weight(std::int32_t layer, const std::string& name, const Shape& ne) {
    return weight_stored_as(layer, name, ne, ne);
}

TensorId ModelBuilder::reshaped_weight(std::int32_t layer, std::string_view suffix, const Shape& ne) {
    return reshaped(layer, block_name(layer, suffix), ne);
}

TensorId ModelBuilder::reshaped_output_weight(const std::string& name, const Shape& ne) {
    return reshaped(static_cast<std::int32_t>(h_.shape.layers), name, ne);
}

TensorId ModelBuilder::reshaped(std::int32_t layer, const std::string& name, const Shape& ne) {
    const Shape stored = file_.tensors()[required(name)].ne;
    const auto count = [](const Shape& shape) { return shape[0] * shape[1] * shape[2] * shape[3]; };
    return weight_stored_as(layer, name, ne, count(stored) == count(ne) ? stored : ne);
}

TensorId ModelBuilder::weight_stored_as(std::int32_t layer, const std::string& name, const Shape& ne,
                                        const Shape& stored) {
    const std::size_t found = required(name);
    const GgufTensor& tensor = file_.tensors()[found];
    if (tensor.ne != stored) {
        throw Error(ErrorKind::bad_file, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(stored)),
                    ErrorPlace(msg::kPlaceTensor(name)).within(file_.path()), msg::kMetadataContradicts);
    }
    const std::string buffer = placement_.weight_buffer(layer, name);
    auto [entry, inserted] = weights_.try_emplace({name, buffer});
    if (inserted) {
        entry->second = graph_.new_in_buffer(tensor.type, ne, name, buffer);
        model_graph_.weights.push_back({entry->second, found});
    }
    return entry->second;
}

void ModelBuilder::refuse_unread(std::int32_t layer, std::string_view suffix) const {
    if (!block_has(layer, suffix)) return;
    throw Error(ErrorKind::bad_file, msg::kTensorNotKnown(h_.shape.architecture),
                ErrorPlace(msg::kPlaceTensor(block_name(layer, suffix))).within(file_.path()),
                msg::kConvertAgain);
}

std::string ModelBuilder::block_name(std::int32_t layer, std::string_view suffix) const {
    return fmt::format("{}blk.{}.{}", block_prefix_, layer - block_shift_, suffix);
}

TensorId ModelBuilder::input_weight(const std::string& name, const Shape& ne) {
    return weight(-1, name, ne);
}
TensorId ModelBuilder::block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne) {
    return weight(layer - block_shift_, block_name(layer, suffix), ne);
}
TensorId ModelBuilder::optional_weight(std::int32_t layer, std::string_view suffix, const Shape& ne) {
    return block_has(layer, suffix) ? block_weight(layer, suffix, ne) : TensorId{};
}
TensorId ModelBuilder::output_weight(const std::string& name, const Shape& ne) {
    return weight(static_cast<std::int32_t>(h_.shape.layers), name, ne);
}

// --- inputs
// ------------------------------------------------------------------------------------------------------

bool ModelBuilder::is_unfused(Op op) const {
    return std::ranges::find(options_.unfused, op) != options_.unfused.end();
}

std::uint8_t ModelBuilder::pooled_blocks(std::uint32_t cells) {
    std::vector<std::uint32_t>& sizes = model_graph_.pooled_blocks;
    const auto found = std::ranges::find(sizes, cells);
    const auto index = found - sizes.begin();
    if (index > std::numeric_limits<std::uint8_t>::max())
        keys_.refuse("attention.compress_ratios", msg::kEntryOutOfRange);
    if (found == sizes.end()) sizes.push_back(cells);
    return static_cast<std::uint8_t>(index);
}

TensorId ModelBuilder::input(ModelInput kind, ElementType type, const Shape& ne, std::string name,
                             std::uint8_t compressed) {
    auto [entry, inserted] = inputs_.try_emplace({kind, compressed});
    if (inserted) {
        entry->second = placement_.input_buffer.empty()
                            ? graph_.new_tensor(type, ne, std::move(name))
                            : graph_.new_in_buffer(type, ne, std::move(name), placement_.input_buffer);
        graph_.add_flag(entry->second, TensorFlags::input);
        model_graph_.inputs.push_back({kind, entry->second, compressed});
    }
    return entry->second;
}

TensorId ModelBuilder::embed_tokens(float scale, const std::string& table_name) {
    const TensorId table = input_weight(table_name, {h_.shape.embedding, h_.shape.vocabulary, 1, 1});
    const TensorId ids = input(ModelInput::tokens, ElementType::i32, {tokens(), 1, 1, 1}, "inp_tokens");
    TensorId rows = graph_.get_rows(table, ids);
    if (is_2025_02()) return named(rows, "inp_embd");
    // Images provide rows for several layers; text fills them with zeros.
    const std::int64_t wide = width() * (1 + deepstack_layers());
    if (wide > width()) rows = graph_.pad(rows, static_cast<std::int32_t>(wide - width()));
    graph_.expand(rows);
    // llama.cpp's graphs contain the alternative embedding input, unused.
    graph_.expand(graph_.new_input(ElementType::f32, {wide, tokens(), 1, 1}, "inp_embd"));
    wide_embeddings_ = rows;
    if (wide > width()) rows = graph_.view_2d(rows, width(), tokens(), graph_[rows].nb[1], 0);
    if (scale != 0.0F) rows = graph_.scale(rows, scale);
    named(rows, "embd");
    graph_.expand(rows);
    return rows;
}

std::int64_t ModelBuilder::deepstack_layers() const {
    return keys_.number("n_deepstack_layers", kMaxDeepstackLayers).value_or(0);
}

TensorId ModelBuilder::add_deepstack(TensorId x, std::int32_t layer) {
    if (layer >= deepstack_layers()) return x;
    const Tensor& wide = graph_[wide_embeddings_];
    const TensorId rows = graph_.view_2d(wide_embeddings_, width(), tokens(), wide.nb[1],
                                         (layer + 1) * width() * static_cast<std::int64_t>(sizeof(float)));
    return named(graph_.add(x, rows), "deepstack_out", layer);
}

TensorId ModelBuilder::positions() {
    const bool several = has_sections(h_.rope_kind);
    return input(ModelInput::positions, ElementType::i32, {tokens() * (several ? 4 : 1), 1, 1, 1},
                 is_2025_02() ? "inp_pos" : "");
}
TensorId ModelBuilder::embed_positions() {
    const TensorId table =
        input_weight("position_embd.weight", {width(), rows_of("position_embd.weight"), 1, 1});
    return named(graph_.get_rows(table, positions()), "pos_embd");
}
TensorId ModelBuilder::output_rows() {
    return input(ModelInput::output_rows, ElementType::i32, {options_.outputs, 1, 1, 1},
                 is_2025_02() ? "inp_out_ids" : "");
}
TensorId ModelBuilder::recurrent_states() {
    return input(ModelInput::recurrent_states, ElementType::i32, {used_states(), 1, 1, 1}, "rs_s_copy");
}
TensorId ModelBuilder::attention_scale(const AttentionScale& growth) {
    model_graph_.attention_scale = growth;
    return input(ModelInput::attention_scale, ElementType::f32, {1, 1, tokens(), 1}, "inp_attn_scale");
}

// --- blocks
// ------------------------------------------------------------------------------------------------------

TensorId ModelBuilder::named(TensorId id, std::string_view name, std::int32_t layer) {
    if (name.empty() || name == kUnnamed) return id;
    graph_.set_name(id, layer >= 0 ? fmt::format("{}-{}", name, layer) : std::string(name));
    return id;
}

TensorId ModelBuilder::normalise(NormKind kind, TensorId x, TensorId weight, TensorId bias,
                                 std::string_view name, std::int32_t layer) {
    const bool mean_free = kind == NormKind::layer || kind == NormKind::plain_layer;
    TensorId out = mean_free ? graph_.norm(x, h_.layer_norm_epsilon) : graph_.rms_norm(x, h_.rms_epsilon);
    if (weight.valid()) {
        named(out, "norm", layer);
        out = graph_.mul(out, weight);
    }
    if (bias.valid()) {
        named(out, weight.valid() ? "norm_w" : "norm", layer);
        out = graph_.add(out, bias);
    }
    return named(out, name, layer);
}

std::string ModelBuilder::norm_weight(std::int32_t layer, std::string_view part) const {
    std::string usual = fmt::format("{}.weight", part);
    return !block_has(layer, usual) && block_has(layer, part) ? std::string(part) : usual;
}

TensorId ModelBuilder::block_norm(NormKind kind, TensorId x, std::int32_t layer, std::string_view part,
                                  std::string_view name) {
    const Shape row{graph_[x].ne[0], 1, 1, 1};
    TensorId weight;
    TensorId bias;
    if (has_weight(kind)) weight = block_weight(layer, norm_weight(layer, part), row);
    if (has_bias(kind)) bias = optional_weight(layer, fmt::format("{}.bias", part), row);
    return normalise(kind, x, weight, bias, name.empty() ? part : name, layer);
}

TensorId ModelBuilder::head_norm(TensorId x, std::int32_t layer, std::string_view part,
                                 std::string_view name) {
    const std::string weight = fmt::format("{}.weight", part);
    if (!block_has(layer, weight)) return x;
    return rms_norm(x, block_weight(layer, weight, {graph_[x].ne[0], 1, 1, 1}), name, layer);
}

bool ModelBuilder::reads_scale(std::string_view part) const {
    return !is_2025_02() && lists(architecture_or_default(h_.shape.architecture).scaled, part);
}

TensorId ModelBuilder::weight_scale(std::int32_t layer, std::string_view part, std::int64_t count) {
    if (!reads_scale(part)) return {};
    // Repeated blocks do not share scales.
    return optional_weight(layer + block_shift_, fmt::format("{}.scale", part), {count, 1, 1, 1});
}

TensorId ModelBuilder::scaled(TensorId product, std::int32_t layer, std::string_view part) {
    const TensorId scale = weight_scale(layer, part);
    return scale.valid() ? graph_.mul(product, scale) : product;
}

TensorId ModelBuilder::biased(TensorId product, std::int32_t layer, std::string_view part,
                              std::string_view name) {
    const TensorId bias =
        optional_weight(layer, fmt::format("{}.bias", part), {graph_[product].ne[0], 1, 1, 1});
    return bias.valid() ? named(graph_.add(product, bias), name, layer) : product;
}

TensorId ModelBuilder::unscaled_product(TensorId x, std::int32_t layer, std::string_view part,
                                        std::int64_t out, std::string_view name) {
    const TensorId rows = block_weight(layer, fmt::format("{}.weight", part), {graph_[x].ne[0], out, 1, 1});
    return named(graph_.mul_mat(rows, x), name, layer);
}

TensorId ModelBuilder::product(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                               std::string_view name) {
    return named(scaled(unscaled_product(x, layer, part, out), layer, part), name, layer);
}

TensorId ModelBuilder::project(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                               std::string_view product_name, std::string_view biased_name) {
    return biased(product(x, layer, part, out, product_name), layer, part, biased_name);
}

TensorId ModelBuilder::project_heads(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                                     std::int64_t count, std::string_view name) {
    const TensorId rows = project(x, layer, part, dim * count, name, name);
    const TensorId heads = graph_.reshape(rows, {dim, count, tokens(), 1});
    return is_2025_02() ? heads : named(heads, name, layer);
}

TensorId ModelBuilder::project_values(TensorId x, std::int32_t layer, std::string_view part, std::int64_t dim,
                                      std::int64_t count, std::string_view name) {
    if (is_2025_02()) return project(x, layer, part, dim * count, name, name);
    return project_heads(x, layer, part, dim, count, name);
}

TensorId ModelBuilder::part_rows(TensorId x, std::int64_t first, std::int64_t row) {
    const Tensor& whole = graph_[x];
    const std::int64_t element = traits_of(whole.type).block_bytes;
    return graph_.cont(graph_.view_2d(x, row, whole.ne[1], whole.nb[1], first * element));
}

TensorId ModelBuilder::part_values(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                                   std::string_view name, std::int32_t layer) {
    if (is_2025_02()) return named(part_rows(x, first, dim * count), name, layer);
    return part_heads(x, first, dim, count, name, layer);
}

TensorId ModelBuilder::part_heads(TensorId x, std::int64_t first, std::int64_t dim, std::int64_t count,
                                  std::string_view name, std::int32_t layer) {
    if (is_2025_02()) {
        const TensorId rows = named(part_rows(x, first, dim * count), name, layer);
        return graph_.reshape(rows, {dim, count, tokens(), 1});
    }
    const Tensor& whole = graph_[x];
    const std::int64_t element = traits_of(whole.type).block_bytes;
    return named(graph_.view_3d(x, dim, count, tokens(), dim * element, whole.nb[1], first * element), name,
                 layer);
}

TensorId ModelBuilder::project_qkv(TensorId x, std::int32_t layer, std::int64_t q_row, std::int64_t k_row,
                                   std::int64_t v_row, std::string_view product_name) {
    const TensorId all = product(x, layer, "attn_qkv", q_row + k_row + v_row, product_name);
    const bool separate =
        block_has(layer, "attn_q.bias") && block_has(layer, "attn_k.bias") && block_has(layer, "attn_v.bias");
    if (block_has(layer, "attn_qkv.bias") || !separate) return biased(all, layer, "attn_qkv", "wqkv_b");
    const auto bias = [&](std::string_view name, std::int64_t width) {
        return block_weight(layer, std::string(name), {width, 1, 1, 1});
    };
    const TensorId two = graph_.concat(bias("attn_q.bias", q_row), bias("attn_k.bias", k_row), 0);
    return named(graph_.add(all, graph_.concat(two, bias("attn_v.bias", v_row), 0)), "wqkv_b", layer);
}

Heads ModelBuilder::qkv_rows(TensorId x, std::int32_t layer, std::int64_t q_row, std::int64_t k_row,
                             std::int64_t v_row, std::string_view q_name) {
    if (!block_has(layer, "attn_qkv.weight"))
        return {project_unnamed(x, layer, "attn_q", q_row, q_name),
                project_unnamed(x, layer, "attn_k", k_row, "Kcur"),
                project_unnamed(x, layer, "attn_v", v_row, "Vcur")};
    const TensorId all = project_qkv(x, layer, q_row, k_row, v_row);
    return {named(part_rows(all, 0, q_row), q_name, layer),
            named(part_rows(all, q_row, k_row), "Kcur", layer),
            named(part_rows(all, q_row + k_row, v_row), "Vcur", layer)};
}

Heads ModelBuilder::heads(TensorId x, std::int32_t layer, float clamp, std::string_view product_name) {
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t q_row = h_.q_row(l);
    const std::int64_t k_row = h_.k_row(l);
    const auto cut = [&](TensorId rows, std::string_view name) {
        return clamp > 0.0F ? named(graph_.clamp(rows, -clamp, clamp), name, layer) : rows;
    };
    if (block_has(layer, "attn_qkv.weight")) {
        TensorId all = project_qkv(x, layer, q_row, k_row, h_.v_row(l), product_name);
        all = cut(all, "wqkv_clamped");
        return {part_heads(all, 0, h_.head_k(l), h_.heads[l], "Qcur", layer),
                part_heads(all, q_row, h_.head_k(l), h_.kv_heads[l], "Kcur", layer),
                part_values(all, q_row + k_row, h_.head_v(l), h_.kv_heads[l], "Vcur", layer)};
    }
    if (clamp <= 0.0F) {
        return {project_heads(x, layer, "attn_q", h_.head_k(l), h_.heads[l], "Qcur"),
                project_heads(x, layer, "attn_k", h_.head_k(l), h_.kv_heads[l], "Kcur"),
                project_values(x, layer, "attn_v", h_.head_v(l), h_.kv_heads[l], "Vcur")};
    }
    const auto clamped = [&](std::string_view part, std::int64_t dim, std::int64_t count,
                             std::string_view name, std::string_view clamped_name) {
        const TensorId rows = cut(project(x, layer, part, dim * count, name, name), clamped_name);
        return named(graph_.reshape(rows, {dim, count, tokens(), 1}), name, layer);
    };
    return {clamped("attn_q", h_.head_k(l), h_.heads[l], "Qcur", "Qcur_clamped"),
            clamped("attn_k", h_.head_k(l), h_.kv_heads[l], "Kcur", "Kcur_clamped"),
            clamped("attn_v", h_.head_v(l), h_.kv_heads[l], "Vcur", "Vcur_clamped")};
}

RopeParameters ModelBuilder::rope_parameters(std::int32_t layer) const {
    RopeParameters parameters = h_.rope;
    if (slides(layer)) {
        parameters.dims = h_.window_rope_dims;
        parameters.base = h_.window_rope_base;
        parameters.scale = h_.window_rope_scale;
        if (h_.window_rope_plain) {
            parameters.ext_factor = 0.0F;
            parameters.attn_factor = 1.0F;
        }
    }
    return parameters;
}

TensorId ModelBuilder::rope(TensorId x, std::int32_t layer, std::string_view name,
                            TensorId frequency_factors) {
    return rope_with(rope_parameters(layer), x, layer, name, frequency_factors);
}

TensorId ModelBuilder::rope_with(const RopeParameters& parameters, TensorId x, std::int32_t layer,
                                 std::string_view name, TensorId frequency_factors) {
    return named(graph_.rope(x, positions(), frequency_factors, parameters), name, layer);
}

TensorId ModelBuilder::frequency_factors(std::int32_t layer) {
    return frequency_factors_of(layer, rope_parameters(layer).dims);
}

TensorId ModelBuilder::frequency_factors_of(std::int32_t layer, std::int32_t dims) {
    const Shape half{dims / 2, 1, 1, 1};
    if (has("rope_freqs.weight")) return weight(layer, "rope_freqs.weight", half);
    const bool is_long = options_.context > static_cast<std::uint32_t>(h_.rope.original_context);
    const std::string name = is_long ? "rope_factors_long.weight" : "rope_factors_short.weight";
    return has(name) ? weight(layer, name, half) : TensorId{};
}

void ModelBuilder::keep_outputs_of_last(std::int32_t layer, TensorId& x, TensorId& residual) {
    if (!is_last(layer)) return;
    x = keep_outputs(x);
    residual = keep_outputs(residual);
}

TensorId ModelBuilder::gate_with(GluKind kind, TensorId gate, TensorId value, std::string_view name,
                                 std::int32_t layer) {
    const std::string prefix(name);
    const bool gelu = kind == GluKind::geglu;
    if (kind == GluKind::reglu) return named(graph_.glu(kind, gate, value), prefix + "_reglu", layer);
    if (!is_2025_02()) {
        return named(graph_.glu(kind, gate, value), prefix + (gelu ? "_geglu" : "_swiglu"), layer);
    }
    const TensorId open = graph_.unary(gelu ? UnaryKind::gelu : UnaryKind::silu, gate);
    named(open, prefix + (gelu ? "_gelu" : "_silu"), layer);
    // The product of experts has its operands swapped.
    const bool experts = prefix == "ffn_moe";
    return named(experts ? graph_.mul(value, open) : graph_.mul(open, value), prefix + "_gate_par", layer);
}

TensorId ModelBuilder::gate_halves(GluKind kind, TensorId both, std::string_view name, std::int32_t layer) {
    if (!is_2025_02()) {
        const bool gelu = kind == GluKind::geglu;
        return named(graph_.glu(kind, both), std::string(name) + (gelu ? "_geglu" : "_swiglu"), layer);
    }
    const std::int64_t half = graph_[both].ne[0] / 2;
    const TensorId gate = part_rows(both, 0, half);
    return gate_with(kind, gate, part_rows(both, half, half), name, layer);
}

// --- the end
// -----------------------------------------------------------------------------------------------------

TensorId ModelBuilder::final_norm(TensorId x, NormKind kind) {
    const Shape row{graph_[x].ne[0], 1, 1, 1};
    TensorId weight;
    TensorId bias;
    if (has_weight(kind)) weight = output_weight("output_norm.weight", row);
    if (has_bias(kind) && has("output_norm.bias")) bias = output_weight("output_norm.bias", row);
    return keep_embeddings(normalise(kind, x, weight, bias, "result_norm", -1));
}

TensorId ModelBuilder::lm_head(TensorId x) {
    // Without an output weight, the token embeddings are used.
    const std::string name = has("output.weight") ? "output.weight" : "token_embd.weight";
    return scaled_output(
        graph_.mul_mat(output_weight(name, {graph_[x].ne[0], h_.shape.vocabulary, 1, 1}), x));
}

TensorId ModelBuilder::scaled_output(TensorId product) {
    if (!reads_scale("output") || !has("output.scale")) return product;
    return graph_.mul(product, output_weight("output.scale", {1, 1, 1, 1}));
}

TensorId ModelBuilder::lm_head_with_bias(TensorId x, std::string_view product_name) {
    const TensorId logits = lm_head(x);
    if (!has("output.bias")) return logits;
    named(logits, product_name);
    return graph_.add(logits, output_weight("output.bias", {graph_[logits].ne[0], 1, 1, 1}));
}

TensorId ModelBuilder::cap_output(TensorId logits) {
    if (!h_.output_soft_cap) return logits;
    logits = graph_.scale(logits, 1.0F / *h_.output_soft_cap);
    logits = graph_.unary(UnaryKind::tanh, logits);
    return graph_.scale(logits, *h_.output_soft_cap);
}

ModelGraph ModelBuilder::finish_with_logits(TensorId x, NormKind kind) {
    return finish_with_named_logits(cap_output(lm_head(final_norm(x, kind))));
}

ModelGraph ModelBuilder::finish_with_named_logits(TensorId logits) {
    return finish(named(logits, "result_output"));
}

void ModelBuilder::flag_output(TensorId id) {
    if (!is_2025_02()) graph_.add_flag(id, TensorFlags::output);
}

void ModelBuilder::keep_for_drafts(TensorId x) {
    flag_output(named(x, "h_nextn"));
}

ModelGraph ModelBuilder::finish_with_embeddings(TensorId x, std::string_view name) {
    return finish(keep_embeddings(named(x, name)));
}

TensorId ModelBuilder::keep_embeddings(TensorId x) {
    flag_output(x);
    return embeddings_ = x;
}

ModelGraph ModelBuilder::finish(TensorId result) {
    flag_output(result);
    graph_.expand(result);
    if (options_.embeddings) {
        result = pool(embeddings_);
        flag_output(result);
        graph_.expand(result);
    }
    model_graph_.logits = result;
    if (h_.has_window()) model_graph_.window = h_.window;
    model_graph_.graph = graph_.take();
    return std::move(model_graph_);
}

}  // namespace splitscope
