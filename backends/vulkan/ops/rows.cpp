// SPDX-License-Identifier: MIT
// Copies, rows by index, norms, SOFT_MAX and ROPE.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

constexpr ShaderFamily kCopyShaders{"copy_plain", "copy_small", "copy_k", "copy_iq", "copy_few"};
constexpr ShaderFamily kGetRowsShaders{"rows_get_plain", "rows_get_small", "rows_get_k", "rows_get_iq",
                                       "rows_get_few"};

bool is_plain(ElementType type) {
    return traits_of(type).block_elements == 1;
}

/// Elements of a source of this type that an invocation reads.
std::int64_t elements_at_once(ElementType type) {
    constexpr std::int64_t kDecoded = 8;
    return is_plain(type) ? 1 : kDecoded;
}

/// Destination types of encode.comp.
bool is_encodable(ElementType type) {
    return type == ElementType::q8_0 || type == ElementType::q4_0 || type == ElementType::q4_1 ||
           type == ElementType::q5_0 || type == ElementType::q5_1 || type == ElementType::iq4_nl ||
           type == ElementType::q1_0 || type == ElementType::q2_0;
}

void plan_copy(const OpNode& node, std::vector<Pass>& passes) {
    const Tensor& src = node.src(0);
    const Tensor& dst = node.dst();
    Constants constants = constants_of(node);
    if (!is_plain(dst.type) && src.type == dst.type) {
        const auto& traits = traits_of(dst.type);
        constants[5] = 3;
        constants[6] = static_cast<std::uint32_t>(traits.block_bytes);
        constants[7] = static_cast<std::uint32_t>(traits.block_elements);
        passes.push_back(
            {"copy_plain", constants, {groups_for(element_count(dst) / traits.block_elements, 256), 1, 1}});
        return;
    }
    if (!is_plain(dst.type)) {
        passes.push_back({"encode",
                          constants,
                          {groups_for(element_count(dst) / traits_of(dst.type).block_elements, 64), 1, 1}});
        return;
    }
    constants[5] = src.type == dst.type ? 1 : (is_plain(src.type) ? 0 : 2);
    constants[6] = static_cast<std::uint32_t>(traits_of(dst.type).block_bytes);
    passes.push_back({kCopyShaders.of(src.type),
                      constants,
                      {groups_for(element_count(dst) / elements_at_once(src.type), 256), 1, 1}});
}

OpSupport supports_copy(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[source];
    const Tensor& dst = query.tensor();
    if (is_plain(src.type) && src.type == dst.type) return {};
    if (src.type == dst.type) {
        // Whole blocks: neither operand may be transposed within rows.
        if (!has_contiguous_rows(src)) return {RefusalRule::layout, source, src.type};
        if (!has_contiguous_rows(dst)) return {RefusalRule::layout, query.node, dst.type};
        return {};
    }
    const bool from = is_float(src.type) || src.type == ElementType::i32 || !is_plain(src.type);
    if (!from) return refuse_type(source, query);
    if (is_encodable(dst.type)) return is_float(src.type) ? OpSupport{} : refuse_type(source, query);
    if (!is_float(dst.type) && dst.type != ElementType::i32) return refuse_type(query.node, query);
    return {};
}

void plan_get_rows(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node);
    constants[5] = node.dst().type == ElementType::i32 ? 1 : 0;
    const ElementType type = node.src(0).type;
    passes.push_back({kGetRowsShaders.of(type),
                      constants,
                      {groups_for(element_count(node.dst()) / elements_at_once(type), 256), 1, 1}});
}

OpSupport supports_get_rows(const OpQuery& query) {
    const TensorId table = query.graph.sources(query.node)[0];
    const Tensor& src = query.graph[table];
    const Tensor& dst = query.tensor();
    if (dst.type == ElementType::i32)
        return src.type == ElementType::i32 ? OpSupport{} : refuse_type(table, query);
    if (!is_float(dst.type)) return refuse_type(query.node, query);
    if (!is_float(src.type) && is_plain(src.type)) return refuse_type(table, query);
    return has_contiguous_rows(src) ? OpSupport{} : OpSupport{RefusalRule::layout, table, src.type};
}

void plan_set_rows(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node);
    const std::int64_t count = element_count(node.src(0));
    if (is_plain(node.dst().type)) {
        passes.push_back({"rows_set", constants, {groups_for(count, 256), 1, 1}});
        return;
    }
    constants[5] = 1;
    passes.push_back(
        {"encode", constants, {groups_for(count / traits_of(node.dst().type).block_elements, 64), 1, 1}});
}

OpSupport supports_set_rows(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    if (!is_float(query.graph[source].type)) return refuse_type(source, query);
    const ElementType to = query.tensor().type;
    return is_float(to) || is_encodable(to) ? OpSupport{} : refuse_type(query.node, query);
}

template <std::uint32_t kind>
void plan_norm(const OpNode& node, std::vector<Pass>& passes) {
    const auto wide = [](const Tensor& t) {
        return t.type == ElementType::f32 && has_contiguous_rows(t) && has_wide_rows(t);
    };
    constexpr std::uint32_t kLastForward = 2;
    plan_norm_rows(node, constants_of(node, kind),
                   kind <= kLastForward && wide(node.dst()) && wide(node.src(0)), passes);
}

void plan_soft_max(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node);
    constants[5] = node.has(1) ? 1 : 0;
    constants[6] = node.has(2) ? 1 : 0;
    passes.push_back({"soft_max", constants, {groups_for(row_count(node.dst()), 1), 1, 1}});
}

template <std::uint32_t kind>
void plan_rope(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node, kind);
    constants[5] = static_cast<std::uint32_t>(node.dst().op_params[2]);
    constants[6] = node.has(2) ? 1 : 0;
    passes.push_back({"rope", constants, {groups_for(element_count(node.dst()), 128), 1, 1}});
}

OpSupport supports_rope(const OpQuery& query) {
    for (const TensorId id : {query.node, query.graph.sources(query.node)[0]}) {
        if (!is_float(query.graph[id].type)) return refuse_type(id, query);
    }
    return {};
}

}  // namespace

void plan_norm_rows(const OpNode& node, Constants constants, bool wide, std::vector<Pass>& passes) {
    constexpr std::int64_t kFour = 4;
    // One quadruple per invocation has the least latency until there are many subgroups to reduce over.
    constexpr std::int64_t kUsualGroup = 256;
    constexpr std::int64_t kLargeGroup = 512;
    constexpr std::int64_t kMaxOwn = 8;  // they stay in registers
    const Tensor& rows = node.dst();
    const std::int64_t lanes = node.device.summing_lanes;
    const std::int64_t fours = rows.ne[0] / kFour;
    const std::int64_t wanted =
        fours <= kUsualGroup ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(fours)))
                             : kLargeGroup;
    const std::int64_t group =
        std::max(lanes, std::min<std::int64_t>(wanted, std::bit_floor(node.device.group_invocations)));
    const bool suits = wide && lanes > 0 && rows.ne[0] % kFour == 0 && fours > 0 &&
                       fours <= group * kMaxOwn && rows.ne[1] <= kMaxPlanes && rows.ne[2] <= kMaxPlanes &&
                       rows.ne[3] <= kMaxPlanes;
    if (!suits) {
        passes.push_back({"norm", constants, {groups_for(row_count(rows), 1), 1, 1}});
        return;
    }
    constants[7] = static_cast<std::uint32_t>(group);
    constants[8] = static_cast<std::uint32_t>((fours + group - 1) / group);
    passes.push_back({"norm_sums",
                      constants,
                      {static_cast<std::uint32_t>(rows.ne[1]), static_cast<std::uint32_t>(rows.ne[2]),
                       static_cast<std::uint32_t>(rows.ne[3])}});
}

std::span<const OpRow> rows_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::dup, {.supports = supports_copy, .plan = plan_copy}},
        {Op::cpy, {.supports = supports_copy, .plan = plan_copy}},
        {Op::cont, {.supports = supports_copy, .plan = plan_copy}},
        {Op::get_rows, {.supports = supports_get_rows, .plan = plan_get_rows}},
        {Op::set_rows, {.supports = supports_set_rows, .plan = plan_set_rows}},
        {Op::norm, {.supports = floats_only, .plan = plan_norm<0>}},
        {Op::rms_norm, {.supports = floats_only, .plan = plan_norm<1>}},
        {Op::l2_norm, {.supports = floats_only, .plan = plan_norm<2>}},
        {Op::rms_norm_back, {.supports = floats_only, .plan = plan_norm<3>}},
        {Op::soft_max_back, {.supports = floats_only, .plan = plan_norm<4>}},
        {Op::soft_max, {.supports = floats_only, .plan = plan_soft_max}},
        {Op::rope, {.supports = supports_rope, .plan = plan_rope<0>}},
        {Op::rope_back, {.supports = supports_rope, .plan = plan_rope<1>}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
