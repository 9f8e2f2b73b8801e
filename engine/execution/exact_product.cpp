// SPDX-License-Identifier: MIT
#include "engine/execution/exact_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "backends/interface/tensor_access.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::int64_t kMaxTerms = std::int64_t{1} << 31;

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
            if (!(ids[i] >= 0) || static_cast<std::size_t>(ids[i]) >= matrices.size()) continue;
            matrices[static_cast<std::size_t>(ids[i])].push_back(
                {token * x.ne[1] + result % slots % x.ne[1], result});
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

/// Whether the node is a product of F32 activations with weights that can be decoded.
bool is_decodable_product(const BoundGraph& graph, TensorId node) {
    const Tensor& t = graph[node];
    if (t.op != Op::mul_mat && t.op != Op::mul_mat_id) return false;
    const Tensor& weights = graph[graph.sources(node)[0]];
    return graph[graph.sources(node)[1]].type == ElementType::f32 && can_decode(weights.type) &&
           has_contiguous_rows(weights);
}

/// Reads rows of weights, decoded.
class WeightRows {
 public:
    WeightRows(const BoundGraph& graph, TensorId weights) : place_{graph, weights}, tensor_(graph[weights]) {
        const ElementTypeTraits& traits = traits_of(tensor_.type);
        row_bytes_ = static_cast<std::size_t>(tensor_.ne[0] / traits.block_elements * traits.block_bytes);
    }
    /// `matrix`: over the third and fourth dimension.
    void read(std::int64_t matrix, std::int64_t row, std::span<float> decoded) const {
        std::vector<std::byte> encoded(row_bytes_);
        const std::int64_t begin = matrix % tensor_.ne[2] * tensor_.nb[2] +
                                   matrix / tensor_.ne[2] * tensor_.nb[3] + row * tensor_.nb[1];
        tensor_get(place_, encoded, static_cast<std::uint64_t>(begin));
        dequantise(tensor_.type, encoded, decoded);
    }

 private:
    BoundTensor place_;
    const Tensor& tensor_;
    std::size_t row_bytes_ = 0;
};

}  // namespace

std::optional<ExactElement> exact_product_element(const BoundGraph& graph, TensorId node, std::int64_t at,
                                                  std::span<const std::byte> tested,
                                                  std::span<const std::byte> reference) {
    const Tensor& t = graph[node];
    if (!is_decodable_product(graph, node) || at < 0) return std::nullopt;
    const std::int64_t row = at / t.ne[0];
    const std::int64_t column = at % t.ne[0];
    const WeightRows weights(graph, graph.sources(node)[0]);
    const auto matrices = multiplied_by_matrix(graph, node);
    for (std::size_t matrix = 0; matrix < matrices.size(); ++matrix) {
        const auto found = std::ranges::find(matrices[matrix], row, &Multiplied::result);
        if (found == matrices[matrix].end()) continue;
        const TensorId source = graph.sources(node)[1];
        const Tensor& x = graph[source];
        std::vector<std::byte> bytes(byte_size(x));
        tensor_get({graph, source}, bytes);
        const std::vector<float> activations = row_values(x, bytes, found->activations, 0, x.ne[0]);
        std::vector<float> decoded(activations.size());
        weights.read(static_cast<std::int64_t>(matrix), column, decoded);
        ExactElement element;
        element.at = at;
        element.tested = row_values(t, tested, row, column, 1).front();
        element.reference = row_values(t, reference, row, column, 1).front();
        constexpr std::size_t kScaled = 256;
        const double relative = graph[graph.sources(node)[0]].type == ElementType::bf16 ? 0x1p-7 : 0x1p-10;
        for (std::size_t begin = 0; begin < decoded.size(); begin += kScaled) {
            double largest = 0;
            double sum = 0;
            for (std::size_t i = begin; i < std::min(begin + kScaled, decoded.size()); ++i) {
                const double product = double{decoded[i]} * activations[i];
                element.exact += product;
                element.rounding += relative * std::abs(product);
                largest = std::max<double>(largest, std::abs(activations[i]));
                sum += std::abs(decoded[i]);
            }
            constexpr double kSteps = 127;
            element.rounding += largest / kSteps / 2 * sum;
        }
        return element;
    }
    return std::nullopt;
}

std::optional<ExactErrors> exact_product_errors(const BoundGraph& graph, TensorId node,
                                                std::span<const std::byte> tested,
                                                std::span<const std::byte> reference, const JobContext& job) {
    const Tensor& t = graph[node];
    if (!is_decodable_product(graph, node)) return std::nullopt;
    const Tensor& weights = graph[graph.sources(node)[0]];
    if (weights.type == ElementType::f32 || element_count(t) > kMaxTerms / weights.ne[0]) return std::nullopt;
    const std::vector<float> x = all_values(graph, graph.sources(node)[1]);
    const std::vector<float> ours = all_values(t, tested);
    const std::vector<float> theirs = all_values(t, reference);
    const auto matrices = multiplied_by_matrix(graph, node);
    const auto depth = static_cast<std::size_t>(weights.ne[0]);
    const WeightRows rows_of(graph, graph.sources(node)[0]);
    std::vector<float> decoded(depth);
    ExactErrors errors;
    double power = 0;
    for (std::size_t matrix = 0; matrix < matrices.size(); ++matrix) {
        if (matrices[matrix].empty()) continue;
        for (std::int64_t row = 0; row < weights.ne[1]; ++row) {
            job.check();
            rows_of.read(static_cast<std::int64_t>(matrix), row, decoded);
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
