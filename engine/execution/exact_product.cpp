// SPDX-License-Identifier: MIT
#include "engine/execution/exact_product.hpp"

#include <cstdint>
#include <vector>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::int64_t kMostTerms = std::int64_t{1} << 31;

/// A row of activations and the row of the result that it is multiplied into.
struct Multiplied {
    std::int64_t activations = 0;
    std::int64_t result = 0;
};

std::vector<float> all_values(const Tensor& t, std::span<const std::byte> bytes) {
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(element_count(t)));
    for (std::int64_t row = 0; row < row_count(t); ++row) {
        const std::vector<float> of_row = row_values(t, bytes, row, 0, t.ne[0]);
        values.insert(values.end(), of_row.begin(), of_row.end());
    }
    return values;
}

std::vector<float> all_values(const BoundGraph& graph, TensorId tensor) {
    std::vector<std::byte> bytes(byte_size(graph[tensor]));
    tensor_get({graph, tensor}, bytes);
    return all_values(graph[tensor], bytes);
}

/// By matrix of the weights.
std::vector<std::vector<Multiplied>> multiplied_by_matrix(const BoundGraph& graph, TensorId node) {
    const Sources& sources = graph.sources(node);
    const Tensor& weights = graph[sources[0]];
    const Tensor& x = graph[sources[1]];
    std::vector<std::vector<Multiplied>> matrices(static_cast<std::size_t>(weights.ne[2] * weights.ne[3]));
    if (graph[node].op == Op::mul_mat_id) {
        const std::vector<float> ids = all_values(graph, sources[2]);
        const std::int64_t slots = graph[sources[2]].ne[0];
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto result = static_cast<std::int64_t>(i);
            const std::int64_t token = result / slots;
            matrices.at(static_cast<std::size_t>(ids[i]))
                .push_back({token * x.ne[1] + result % slots % x.ne[1], result});
        }
        return matrices;
    }
    for (std::int64_t row = 0; row < row_count(x); ++row) {
        const std::int64_t i2 = row / x.ne[1] % x.ne[2] / (x.ne[2] / weights.ne[2]);
        const std::int64_t i3 = row / x.ne[1] / x.ne[2] / (x.ne[3] / weights.ne[3]);
        matrices[static_cast<std::size_t>(i3 * weights.ne[2] + i2)].push_back({row, row});
    }
    return matrices;
}

}  // namespace

std::optional<ExactErrors> exact_product_errors(const BoundGraph& graph, TensorId node,
                                                std::span<const std::byte> tested,
                                                std::span<const std::byte> reference, const JobContext& job) {
    const Tensor& t = graph[node];
    if (t.op != Op::mul_mat && t.op != Op::mul_mat_id) return std::nullopt;
    const TensorId first = graph.sources(node)[0];
    const Tensor& weights = graph[first];
    if (weights.type == ElementType::f32 || graph[graph.sources(node)[1]].type != ElementType::f32 ||
        !can_decode(weights.type) || !has_contiguous_rows(weights) ||
        element_count(t) > kMostTerms / weights.ne[0]) {
        return std::nullopt;
    }
    const std::vector<float> x = all_values(graph, graph.sources(node)[1]);
    const std::vector<float> ours = all_values(t, tested);
    const std::vector<float> theirs = all_values(t, reference);
    const auto matrices = multiplied_by_matrix(graph, node);
    const auto depth = static_cast<std::size_t>(weights.ne[0]);
    const ElementTypeTraits& traits = traits_of(weights.type);
    std::vector<std::byte> encoded(depth / static_cast<std::size_t>(traits.block_elements) *
                                   static_cast<std::size_t>(traits.block_bytes));
    std::vector<float> decoded(depth);
    ExactErrors errors;
    double power = 0;
    for (std::size_t matrix = 0; matrix < matrices.size(); ++matrix) {
        if (matrices[matrix].empty()) continue;
        const auto index = static_cast<std::int64_t>(matrix);
        const std::int64_t begin =
            index % weights.ne[2] * weights.nb[2] + index / weights.ne[2] * weights.nb[3];
        for (std::int64_t row = 0; row < weights.ne[1]; ++row) {
            job.check();
            tensor_get({graph, first}, encoded, static_cast<std::uint64_t>(begin + row * weights.nb[1]));
            dequantise(weights.type, encoded, decoded);
            for (const Multiplied& rows : matrices[matrix]) {
                const float* const activations = &x[static_cast<std::size_t>(rows.activations) * depth];
                double exact = 0;
                for (std::size_t i = 0; i < depth; ++i) exact += double{decoded[i]} * activations[i];
                const auto at = static_cast<std::size_t>(rows.result * t.ne[0] + row);
                errors.tested += (ours[at] - exact) * (ours[at] - exact);
                errors.reference += (theirs[at] - exact) * (theirs[at] - exact);
                power += exact * exact;
            }
        }
    }
    if (errors.tested != 0) errors.tested /= power;
    if (errors.reference != 0) errors.reference /= power;
    return errors;
}

}  // namespace splitscope
