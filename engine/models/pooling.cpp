// SPDX-License-Identifier: MIT
// Embeddings of sequences from those of their tokens.
#include "engine/models/pooling.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/models/messages.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kPooled = "result_embd_pooled";
constexpr auto kNames = std::to_array<std::string_view>({"none", "mean", "cls", "last", "rank"});

/// That of the file, unless the options have their own.
Pooling pooling_of(const Keys& keys, std::optional<Pooling> chosen) {
    if (chosen) return *chosen;
    const std::uint32_t number = keys.number_or("pooling_type", 0);
    if (number >= kPoolings.size()) keys.refuse("pooling_type", msg::kUnknownPooling);
    return kPoolings[number];
}

}  // namespace

std::string_view name_of(Pooling pooling) {
    return kNames[static_cast<std::size_t>(pooling)];
}

std::optional<Pooling> pooling_named(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return kPoolings[static_cast<std::size_t>(found - kNames.begin())];
}

TensorId ModelBuilder::mean_of_tokens(TensorId x) {
    const TensorId mean =
        input(ModelInput::mean_rows, ElementType::f32, {tokens(), options_.sequences, 1, 1}, {});
    return graph_.mul_mat(graph_.cont(graph_.transpose(x)), mean);
}

TensorId ModelBuilder::one_token(TensorId x) {
    return graph_.get_rows(
        x, input(ModelInput::class_rows, ElementType::i32, {options_.sequences, 1, 1, 1}, {}));
}

TensorId ModelBuilder::dense_output(TensorId x, const std::string& part) {
    const std::string weight = part + ".weight";
    if (has(weight)) {
        const std::int64_t rows = file_.tensors()[*file_.find_tensor(weight)].ne[1];
        x = graph_.mul_mat(output_weight(weight, {graph_[x].ne[0], rows, 1, 1}), x);
    }
    const std::string bias = part + ".bias";
    return has(bias) ? graph_.add(x, output_weight(bias, {graph_[x].ne[0], 1, 1, 1})) : x;
}

TensorId ModelBuilder::rank(TensorId x) {
    const RankingRule& rule = architecture_or_default(h_.shape.architecture).ranking;
    x = rule.from_mean ? mean_of_tokens(x) : one_token(x);
    if (has("cls.weight")) {
        x = graph_.unary(rule.activation, dense_output(x, "cls"));
        if (has("cls.norm.weight")) {
            const Shape row{graph_[x].ne[0], 1, 1, 1};
            x = normalise(NormKind::layer, x, output_weight("cls.norm.weight", row), {}, {}, -1);
        }
    }
    if (has("cls.output.weight")) x = dense_output(x, "cls.output");
    return rule.from_last ? graph_.soft_max(x, {}, 1.0F) : x;
}

TensorId ModelBuilder::pool(TensorId x) {
    const Pooling pooling = pooling_of(keys_, options_.pooling);
    switch (pooling) {
        case Pooling::none:
            break;
        case Pooling::mean:
            x = mean_of_tokens(x);
            break;
        case Pooling::first:
        case Pooling::last:
            model_graph_.pools_last = pooling == Pooling::last;
            x = one_token(x);
            break;
        case Pooling::rank:
            model_graph_.pools_last = architecture_or_default(h_.shape.architecture).ranking.from_last;
            x = rank(x);
            break;
    }
    named(x, kPooled);
    graph_.expand(x);
    if (!has("dense_2.weight") && !has("dense_2.bias") && !has("dense_3.weight")) return x;
    // Converted with --sentence-transformers-dense-modules.
    return named(dense_output(dense_output(x, "dense_2"), "dense_3"), kPooled);
}

}  // namespace splitscope
