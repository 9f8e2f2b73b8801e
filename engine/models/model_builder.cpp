// SPDX-License-Identifier: MIT
#include "engine/models/model_builder.hpp"

#include <fmt/format.h>

#include "engine/models/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

std::string graph_name(const Hyperparameters& h, const ModelGraphOptions& options) {
    if (options.tokens == 1) return fmt::format("{} decode, 1 token", h.shape.architecture);
    return fmt::format("{} prefill, {} tokens", h.shape.architecture, options.tokens);
}

}  // namespace

ModelBuilder::ModelBuilder(const GgufFile& file, const Hyperparameters& hyperparameters,
                           const ModelGraphOptions& options, const ModelPlacement& placement)
    : file_(file),
      h_(hyperparameters),
      options_(options),
      placement_(placement),
      graph_(graph_name(hyperparameters, options)) {
    model_graph_.options = options;
}

// --- weights
// -----------------------------------------------------------------------------------------------------

std::size_t ModelBuilder::required(const std::string& name) const {
    const auto found = file_.find_tensor(name);
    if (!found) {
        throw Error(ErrorKind::bad_file, msg::kTensorMissing,
                    ErrorPlace(msg::kPlaceTensor(name)).within(file_.path()),
                    msg::kArchitectureNeedsTensor(h_.shape.architecture));
    }
    return *found;
}

std::int64_t ModelBuilder::rows_of(const std::string& name) const {
    return file_.tensors()[required(name)].ne[1];
}

TensorId ModelBuilder::weight(std::int32_t layer, const std::string& name, const Shape& ne) {
    const std::size_t found = required(name);
    const GgufTensor& tensor = file_.tensors()[found];
    if (tensor.ne != ne) {
        throw Error(ErrorKind::bad_file, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(ne)),
                    ErrorPlace(msg::kPlaceTensor(name)).within(file_.path()), msg::kMetadataContradicts);
    }
    const std::string buffer = placement_.weight_buffer(layer, name);
    auto [entry, fresh] = weights_.try_emplace({name, buffer});
    if (fresh) {
        entry->second = graph_.new_in_buffer(tensor.type, tensor.ne, name, buffer);
        model_graph_.weights.push_back({entry->second, found});
    }
    return entry->second;
}

std::string ModelBuilder::block_name(std::int32_t layer, std::string_view suffix) const {
    return fmt::format("blk.{}.{}", layer, suffix);
}

TensorId ModelBuilder::input_weight(const std::string& name, const Shape& ne) {
    return weight(-1, name, ne);
}
TensorId ModelBuilder::block_weight(std::int32_t layer, std::string_view suffix, const Shape& ne) {
    return weight(layer, block_name(layer, suffix), ne);
}
TensorId ModelBuilder::output_weight(const std::string& name, const Shape& ne) {
    return weight(static_cast<std::int32_t>(h_.shape.layers), name, ne);
}

// --- inputs
// ------------------------------------------------------------------------------------------------------

TensorId ModelBuilder::input(ModelInput kind, ElementType type, const Shape& ne, std::string name) {
    auto [entry, fresh] = inputs_.try_emplace(kind);
    if (fresh) {
        entry->second = placement_.input_buffer.empty()
                            ? graph_.new_tensor(type, ne, std::move(name))
                            : graph_.new_in_buffer(type, ne, std::move(name), placement_.input_buffer);
        graph_.add_flag(entry->second, TensorFlags::input);
        model_graph_.inputs.push_back({kind, entry->second});
    }
    return entry->second;
}

TensorId ModelBuilder::embed_tokens() {
    const TensorId table = input_weight("token_embd.weight", {h_.shape.embedding, h_.shape.vocabulary, 1, 1});
    const TensorId ids = input(ModelInput::tokens, ElementType::i32, {tokens(), 1, 1, 1}, "inp_tokens");
    const TensorId rows = graph_.get_rows(table, ids);
    if (is_2025_02()) return named(rows, "inp_embd");
    graph_.expand(rows);
    // The reference's graphs carry the other way of feeding a model, by embeddings, as an unused input.
    graph_.expand(graph_.new_input(ElementType::f32, {h_.shape.embedding, tokens(), 1, 1}, "inp_embd"));
    return named(rows, "embd");
}

TensorId ModelBuilder::positions() {
    return input(ModelInput::positions, ElementType::i32, {tokens(), 1, 1, 1}, is_2025_02() ? "inp_pos" : "");
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
    return input(ModelInput::recurrent_states, ElementType::i32, {1, 1, 1, 1}, {});
}

// --- blocks
// ------------------------------------------------------------------------------------------------------

TensorId ModelBuilder::named(TensorId id, std::string_view name, std::int32_t layer) {
    graph_.set_name(id, layer >= 0 ? fmt::format("{}-{}", name, layer) : std::string(name));
    return id;
}

TensorId ModelBuilder::rms_norm(TensorId x, TensorId weight, std::string_view name, std::int32_t layer) {
    const TensorId normed = named(graph_.rms_norm(x, h_.rms_epsilon), "norm", layer);
    return named(graph_.mul(normed, weight), name, layer);
}

TensorId ModelBuilder::layer_norm(TensorId x, TensorId weight, TensorId bias, std::string_view name,
                                  std::int32_t layer) {
    const TensorId normed = named(graph_.norm(x, h_.layer_norm_epsilon), "norm", layer);
    const TensorId weighted = named(graph_.mul(normed, weight), "norm_w", layer);
    return named(graph_.add(weighted, bias), name, layer);
}

TensorId ModelBuilder::project(TensorId x, std::int32_t layer, std::string_view part, std::int64_t out,
                               std::string_view product_name, std::string_view biased_name) {
    const TensorId rows = block_weight(layer, fmt::format("{}.weight", part), {graph_[x].ne[0], out, 1, 1});
    const TensorId product = graph_.mul_mat(rows, x);
    if (!product_name.empty()) named(product, product_name, layer);
    const std::string bias = fmt::format("{}.bias", part);
    if (!has(block_name(layer, bias))) return product;
    const TensorId biased = graph_.add(product, block_weight(layer, bias, {out, 1, 1, 1}));
    return biased_name.empty() ? biased : named(biased, biased_name, layer);
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

TensorId ModelBuilder::rope(TensorId x, std::int32_t layer, std::string_view name,
                            TensorId frequency_factors) {
    RopeParameters parameters = h_.rope;
    if (slides(layer)) {
        parameters.base = h_.window_rope_base;
        parameters.scale = h_.window_rope_scale;
    }
    return named(graph_.rope(x, positions(), frequency_factors, parameters), name, layer);
}

TensorId ModelBuilder::gate_with(GluKind kind, TensorId gate, TensorId value, std::string_view name,
                                 std::int32_t layer) {
    const std::string prefix(name);
    const bool gelu = kind == GluKind::geglu;
    if (!is_2025_02()) {
        return named(graph_.glu(kind, gate, value), prefix + (gelu ? "_geglu" : "_swiglu"), layer);
    }
    const TensorId open = graph_.unary(gelu ? UnaryKind::gelu : UnaryKind::silu, gate);
    named(open, prefix + (gelu ? "_gelu" : "_silu"), layer);
    // The product of experts was written the other way round.
    const bool experts = prefix == "ffn_moe";
    return named(experts ? graph_.mul(value, open) : graph_.mul(open, value), prefix + "_gate_par", layer);
}

TensorId ModelBuilder::gate_halves(GluKind kind, TensorId both, std::string_view name, std::int32_t layer) {
    if (!is_2025_02()) return named(graph_.glu(kind, both), std::string(name) + "_swiglu", layer);
    const std::int64_t half = graph_[both].ne[0] / 2;
    const TensorId gate = part_rows(both, 0, half);
    return gate_with(kind, gate, part_rows(both, half, half), name, layer);
}

// --- the end
// -----------------------------------------------------------------------------------------------------

ModelGraph ModelBuilder::finish_with_logits(TensorId x) {
    const TensorId weight = output_weight("output_norm.weight", {width(), 1, 1, 1});
    TensorId last;
    if (has("output_norm.bias")) {
        last =
            layer_norm(x, weight, output_weight("output_norm.bias", {width(), 1, 1, 1}), "result_norm", -1);
    } else {
        last = rms_norm(x, weight, "result_norm", -1);
    }
    flag_output(last);
    // Without a separate head the token embeddings serve as one.
    const std::string head = has("output.weight") ? "output.weight" : "token_embd.weight";
    TensorId logits = graph_.mul_mat(output_weight(head, {width(), h_.shape.vocabulary, 1, 1}), last);
    if (h_.output_soft_cap != 0.0F) {
        logits = graph_.scale(logits, 1.0F / h_.output_soft_cap);
        logits = graph_.unary(UnaryKind::tanh, logits);
        logits = graph_.scale(logits, h_.output_soft_cap);
    }
    return finish(named(logits, "result_output"));
}

void ModelBuilder::flag_output(TensorId id) {
    if (!is_2025_02()) graph_.add_flag(id, TensorFlags::output);
}

ModelGraph ModelBuilder::finish(TensorId result) {
    flag_output(result);
    graph_.expand(result);
    model_graph_.logits = result;
    model_graph_.window = h_.window;
    model_graph_.graph = graph_.take();
    return std::move(model_graph_);
}

}  // namespace splitscope
