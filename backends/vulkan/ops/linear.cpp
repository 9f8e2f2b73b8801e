// SPDX-License-Identifier: MIT
// OUT_PROD, SOLVE_TRI, GET_ROWS_BACK and GROUP_NORM.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

enum LinearKind : std::uint32_t { kOuterProduct, kSolve, kAddRows };

/// Iterations of an invocation for a term of its sum, or to solve a row: it visits all rows before it.
template <LinearKind kind>
std::int64_t iterations_of(std::int64_t step) {
    return kind == kSolve ? step + 2 : 1;
}

template <LinearKind kind>
void plan_linear(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::int64_t kOutside = 4;
    const std::int64_t steps = kind == kSolve ? node.dst().ne[1] : node.src(0).ne[1];
    Constants constants = constants_of(node, kind);
    for (std::int64_t first = 0, end = 0; end == 0 || end < steps; first = end) {
        std::int64_t iterations = kOutside;
        do {
            iterations += iterations_of<kind>(end++);
        } while (end < steps && may_iterate(node.device, iterations + iterations_of<kind>(end)));
        const bool divided = first > 0 || end < steps;
        constants[5] = static_cast<std::uint32_t>(first);
        constants[6] = divided ? static_cast<std::uint32_t>(end - first) : 0;
        passes.push_back({"linear", constants, all_groups_for(element_count(node.dst()), 64)});
    }
}

OpSupport supports_rows_back(const OpQuery& query) {
    const TensorId rows = query.graph.sources(query.node)[0];
    return is_float(query.graph[rows].type) ? OpSupport{} : refuse_type(rows, query);
}

void plan_group_norm(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::int64_t kGroup = 128;
    constexpr std::int64_t kLoops = 3;
    constexpr std::int64_t kReduction = 7;
    constexpr std::uint32_t kManyAtOnce = 8;
    const Tensor& dst = node.dst();
    const std::int64_t groups = dst.op_params[0];
    const std::int64_t elements =
        dst.ne[0] * dst.ne[1] * ((dst.ne[2] + groups - 1) / std::max<std::int64_t>(groups, 1));
    const bool few = may_iterate(node.device, kLoops * (elements / kGroup + 2 + kReduction));
    Constants constants = constants_of(node);
    constants[5] = few ? 1 : kManyAtOnce;
    passes.push_back({"group_norm", constants, {groups_for(groups * dst.ne[3], 1), 1, 1}});
}

}  // namespace

std::span<const OpRow> linear_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::out_prod, {.supports = floats_only, .plan = plan_linear<kOuterProduct>}},
        {Op::solve_tri, {.supports = f32_only, .plan = plan_linear<kSolve>}},
        {Op::get_rows_back, {.supports = supports_rows_back, .plan = plan_linear<kAddRows>}},
        {Op::group_norm, {.supports = f32_only, .plan = plan_group_norm}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
