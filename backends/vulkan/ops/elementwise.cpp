// SPDX-License-Identifier: MIT
// Element-wise operations.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

/// Kinds of unary.comp beyond the UnaryKinds.
enum MapKind : std::uint32_t {
    kSquare = 32,
    kRoot,
    kLogarithm,
    kSine,
    kCosine,
    kLimit,
    kLeaky,
    kLinear,
    kConstant
};

void plan_elements(const OpNode& node, std::vector<Pass>& passes, std::string_view shader,
                   const Constants& constants) {
    passes.push_back({shader, constants, {groups_for(element_count(node.dst()), 256), 1, 1}});
}

/// The second operand equals the leading dimensions of the first and is repeated as a whole.
bool repeats_whole(const Tensor& part, const Tensor& t) {
    bool same = true;
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (!same && part.ne[d] != 1) return false;
        same = same && part.ne[d] == t.ne[d];
    }
    return true;
}

template <std::uint32_t kind>
void plan_binary(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node, kind);
    const Tensor& dst = node.dst();
    const Tensor& b = node.src(1);
    if (is_flat(dst) && is_flat(node.src(0)) && is_flat(b) && repeats_whole(b, dst))
        constants[5] = same_shape(b, dst) ? 1 : 2;
    plan_elements(node, passes, "binary", constants);
}

void plan_function(const OpNode& node, std::vector<Pass>& passes, std::uint32_t kind) {
    Constants constants = constants_of(node, kind);
    const bool reads = node.has(0) && kind != kConstant;
    constants[5] = reads && is_flat(node.dst()) && is_flat(node.src(0)) ? 1 : 0;
    plan_elements(node, passes, "unary", constants);
}

template <MapKind kind>
void plan_map(const OpNode& node, std::vector<Pass>& passes) {
    plan_function(node, passes, kind);
}

void plan_unary(const OpNode& node, std::vector<Pass>& passes) {
    plan_function(node, passes, static_cast<std::uint32_t>(node.dst().op_params[0]));
}

void plan_glu(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node, static_cast<std::uint32_t>(node.dst().op_params[0]));
    constants[5] = node.has(1) ? 1 : 0;
    constants[6] = node.dst().op_params[1] != 0 ? 1 : 0;
    const bool flat = node.has(1) && is_flat(node.dst()) && is_flat(node.src(0)) && is_flat(node.src(1));
    constants[7] = flat ? 1 : 0;
    plan_elements(node, passes, "glu", constants);
}

void plan_add_id(const OpNode& node, std::vector<Pass>& passes) {
    plan_elements(node, passes, "add_id", constants_of(node));
}

/// The common checks ensure that ids are I32.
OpSupport supports_add_id(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    for (const TensorId id : {query.node, sources[0], sources[1]}) {
        if (!is_float(query.graph[id].type)) return refuse_type(id, query);
    }
    return {};
}

OpSupport supports_glu(const OpQuery& query) {
    if (query.tensor().op_params[0] > static_cast<std::int32_t>(GluKind::geglu_quick))
        return {RefusalRule::parameter, query.node, query.tensor().type};
    return floats_only(query);
}

}  // namespace

std::span<const OpRow> elementwise_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::add, {.supports = floats_only, .plan = plan_binary<0>}},
        {Op::add1, {.supports = floats_only, .plan = plan_binary<0>}},
        {Op::sub, {.supports = floats_only, .plan = plan_binary<1>}},
        {Op::mul, {.supports = floats_only, .plan = plan_binary<2>}},
        {Op::div, {.supports = floats_only, .plan = plan_binary<3>}},
        {Op::add_id, {.supports = supports_add_id, .plan = plan_add_id}},
        {Op::unary, {.supports = floats_only, .plan = plan_unary}},
        {Op::glu, {.supports = supports_glu, .plan = plan_glu}},
        {Op::sqr, {.supports = floats_only, .plan = plan_map<kSquare>}},
        {Op::sqrt, {.supports = floats_only, .plan = plan_map<kRoot>}},
        {Op::log, {.supports = floats_only, .plan = plan_map<kLogarithm>}},
        {Op::sin, {.supports = floats_only, .plan = plan_map<kSine>}},
        {Op::cos, {.supports = floats_only, .plan = plan_map<kCosine>}},
        {Op::clamp, {.supports = floats_only, .plan = plan_map<kLimit>}},
        {Op::leaky_relu, {.supports = floats_only, .plan = plan_map<kLeaky>}},
        {Op::scale, {.supports = floats_only, .plan = plan_map<kLinear>}},
        {Op::fill, {.supports = floats_only, .plan = plan_map<kConstant>}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
