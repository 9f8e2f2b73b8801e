// SPDX-License-Identifier: MIT
// OUT_PROD, SOLVE_TRI, GET_ROWS_BACK and GROUP_NORM.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

template <std::uint32_t kind>
void plan_linear(const OpNode& node, std::vector<Pass>& passes) {
    passes.push_back({"linear", constants_of(node, kind), {groups_for(element_count(node.dst()), 64), 1, 1}});
}

OpSupport supports_rows_back(const OpQuery& query) {
    const TensorId rows = query.graph.sources(query.node)[0];
    return is_float(query.graph[rows].type) ? OpSupport{} : refuse_type(rows, query);
}

void plan_group_norm(const OpNode& node, std::vector<Pass>& passes) {
    const std::int64_t groups = node.dst().op_params[0] * node.dst().ne[3];
    passes.push_back({"group_norm", constants_of(node), {groups_for(groups, 1), 1, 1}});
}

}  // namespace

std::span<const OpRow> linear_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::out_prod, {.supports = floats_only, .plan = plan_linear<0>}},
        {Op::solve_tri, {.supports = f32_only, .plan = plan_linear<1>}},
        {Op::get_rows_back, {.supports = supports_rows_back, .plan = plan_linear<2>}},
        {Op::group_norm, {.supports = f32_only, .plan = plan_group_norm}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
