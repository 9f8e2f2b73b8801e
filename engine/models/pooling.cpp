// SPDX-License-Identifier: MIT
// Embeddings of sequences from those of their tokens.
#include <cstdint>
#include <string>

#include "engine/models/messages.hpp"
#include "engine/models/model_builder.hpp"

namespace splitscope {
namespace {

constexpr std::uint32_t kNone = 0;
constexpr std::uint32_t kMean = 1;
constexpr std::uint32_t kClass = 2;
constexpr std::uint32_t kLast = 3;
constexpr std::uint32_t kRank = 4;

}  // namespace

TensorId ModelBuilder::mean_of_tokens(TensorId x) {
    const TensorId mean =
        input(ModelInput::mean_rows, ElementType::f32, {tokens(), options_.sequences, 1, 1}, {});
    return graph_.mul_mat(graph_.cont(graph_.transpose(x)), mean);
}

TensorId ModelBuilder::one_token(TensorId x) {
    return graph_.get_rows(
        x, input(ModelInput::class_rows, ElementType::i32, {options_.sequences, 1, 1, 1}, {}));
}

TensorId ModelBuilder::classifier_layer(TensorId x, const std::string& part) {
    const std::string weight = part + ".weight";
    if (!has(weight)) return {};
    const std::int64_t rows = file_.tensors()[*file_.find_tensor(weight)].ne[1];
    x = graph_.mul_mat(output_weight(weight, {graph_[x].ne[0], rows, 1, 1}), x);
    const std::string bias = part + ".bias";
    return has(bias) ? graph_.add(x, output_weight(bias, {rows, 1, 1, 1})) : x;
}

TensorId ModelBuilder::rank(TensorId x, const RankingHead& head) {
    x = head.from_mean ? mean_of_tokens(x) : one_token(x);
    if (const TensorId dense = classifier_layer(x, "cls"); dense.valid()) {
        x = graph_.unary(head.activation, dense);
        if (has("cls.norm.weight")) {
            const Shape row{graph_[x].ne[0], 1, 1, 1};
            x = normalise(NormKind::layer, x, output_weight("cls.norm.weight", row), {}, {}, -1);
        }
    }
    const TensorId classes = classifier_layer(x, "cls.output");
    return classes.valid() ? classes : x;
}

ModelGraph ModelBuilder::finish_with_embeddings(TensorId x, std::string_view name, const RankingHead& head) {
    named(x, name);
    if (!options_.pooled || options_.encodes) return finish(x);
    const std::uint32_t pooling = keys_.number_or("pooling_type", kNone);
    if (pooling == kNone) return finish(named(x, "result_embd_pooled"));
    flag_output(x);
    graph_.expand(x);
    TensorId pooled;
    switch (pooling) {
        case kMean:
            pooled = mean_of_tokens(x);
            break;
        case kClass:
        case kLast:
            model_graph_.pools_last = pooling == kLast;
            pooled = one_token(x);
            break;
        case kRank:
            pooled = rank(x, head);
            break;
        default:
            keys_.refuse("pooling_type", msg::kUnknownPooling);
    }
    return finish(named(pooled, "result_embd_pooled"));
}

}  // namespace splitscope
