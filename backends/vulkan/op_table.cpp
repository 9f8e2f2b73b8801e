// SPDX-License-Identifier: MIT
#include "backends/vulkan/op_table.hpp"

#include <limits>

#include "backends/vulkan/node_block.hpp"
#include "backends/vulkan/ops/ops.hpp"
#include "engine/tensor/op_facts.hpp"

namespace splitscope::vulkan {
namespace {

std::array<const OpEntry*, kOpCount> make_table() {
    std::array<const OpEntry*, kOpCount> table{};
    for (const auto family : {arrange_entries, attention_entries, elementwise_entries, linear_entries,
                              product_entries, recurrent_entries, rows_entries, window_entries}) {
        for (const OpRow& row : family()) table[static_cast<std::size_t>(row.op)] = &row.entry;
    }
    return table;
}

/// Shaders use 32-bit byte and element counts.
bool is_small_enough(const Tensor& t) {
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();
    constexpr std::int64_t kMaxElements = std::numeric_limits<std::int32_t>::max();
    return byte_size(t) < kMaxBytes && element_count(t) < kMaxElements;
}

template <class Fits>
OpSupport check_tensors(const OpQuery& query, Fits&& fits, OpSupport (*refuse)(TensorId, const OpQuery&)) {
    if (!fits(query.tensor())) return refuse(query.node, query);
    for (const TensorId source : query.graph.sources(query.node)) {
        if (source.valid() && !fits(query.graph[source])) return refuse(source, query);
    }
    return {};
}

}  // namespace

std::string_view ShaderFamily::of(ElementType type) const {
    switch (type) {
        case ElementType::q4_0:
        case ElementType::q4_1:
        case ElementType::q5_0:
        case ElementType::q5_1:
        case ElementType::q8_0:
        case ElementType::iq4_nl:
        case ElementType::mxfp4:
            return small;
        case ElementType::q2_K:
        case ElementType::q3_K:
        case ElementType::q4_K:
        case ElementType::q5_K:
        case ElementType::q6_K:
            return k;
        case ElementType::nvfp4:
        case ElementType::q1_0:
        case ElementType::q2_0:
        case ElementType::tq1_0:
        case ElementType::tq2_0:
            return few;
        default:
            return traits_of(type).block_elements == 1 ? plain : iq;
    }
}

OpSupport floats_only(const OpQuery& query) {
    return check_tensors(
        query, [](const Tensor& t) { return is_float(t.type); }, refuse_type);
}

OpSupport f32_only(const OpQuery& query) {
    return check_tensors(
        query, [](const Tensor& t) { return t.type == ElementType::f32; }, refuse_type);
}

const OpEntry* find_op(Op op) {
    static const std::array<const OpEntry*, kOpCount> table = make_table();
    return table[static_cast<std::size_t>(op)];
}

OpSupport op_support(const OpQuery& query) {
    const Tensor& tensor = query.tensor();
    if (tensor.op == Op::none || is_view_op(tensor.op)) return {};
    const OpEntry* entry = find_op(tensor.op);
    if (entry == nullptr) return {RefusalRule::op, query.node, tensor.type};
    if (const OpSupport refused = follows_rule(query); !refused) return refused;
    if (const OpSupport refused = check_tensors(query, is_small_enough, refuse_limit); !refused)
        return refused;
    const Sources& sources = query.graph.sources(query.node);
    for (std::size_t i = kShaderSources; i < sources.size(); ++i) {
        if (sources[i].valid()) return {RefusalRule::op, query.node, tensor.type};
    }
    return entry->supports != nullptr ? entry->supports(query) : OpSupport{};
}

}  // namespace splitscope::vulkan
