// SPDX-License-Identifier: MIT
// Operations that move, generate, reduce or sort elements.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

/// Kinds of arrange.comp.
enum ArrangeKind : std::uint32_t {
    kConcatKind,
    kRepeatKind,
    kPadKind,
    kReflectKind,
    kRollKind,
    kWinPartKind,
    kWinUnpartKind,
    kRelPosKind,
    kDiagKind,
    kSetKind,
    kAccKind,
};
/// Kinds of positions.comp.
enum PositionKind : std::uint32_t {
    kMaskInf,
    kMaskZero,
    kTriangle,
    kRange,
    kTimestep,
    kAddRelative,
    kSiluGradient,
    kRepeatGradient,
};
/// Kinds of reduce.comp.
enum ReduceKind : std::uint32_t {
    kRowSum,
    kRowMean,
    kRunningSum,
    kLargest,
    kTotal,
    kEqual,
    kCrossEntropy,
    kRepeated
};

template <ArrangeKind kind>
void plan_arrange(const OpNode& node, std::vector<Pass>& passes) {
    Constants constants = constants_of(node, kind);
    constants[6] = static_cast<std::uint32_t>(traits_of(node.dst().type).block_bytes);
    passes.push_back({"arrange", constants, {groups_for(element_count(node.dst()), 256), 1, 1}});
}

/// Copies the first source, then writes the window.
template <ArrangeKind kind>
void plan_window(const OpNode& node, std::vector<Pass>& passes) {
    Constants copy = constants_of(node);
    copy[5] = 1;
    copy[6] = static_cast<std::uint32_t>(traits_of(node.dst().type).block_bytes);
    passes.push_back({"copy_plain", copy, {groups_for(element_count(node.dst()), 256), 1, 1}});
    passes.push_back(
        {"arrange", constants_of(node, kind), {groups_for(element_count(node.src(1)), 256), 1, 1}});
}

/// Elements of the window must not overlap, because they are written concurrently.
OpSupport supports_window(const OpQuery& query) {
    const Tensor& dst = query.tensor();
    const Tensor& part = query.graph[query.graph.sources(query.node)[1]];
    std::int64_t extent = part.ne[0] * 4;
    for (std::size_t d = 1; d < kMaxDims; ++d) {
        const std::int64_t stride = dst.op_params[d - 1];
        if (part.ne[d] > 1 && stride < extent) return {RefusalRule::parameter, query.node, dst.type};
        extent += (part.ne[d] - 1) * stride;
    }
    return {};
}

template <PositionKind kind>
void plan_positions(const OpNode& node, std::vector<Pass>& passes) {
    passes.push_back(
        {"positions", constants_of(node, kind), {groups_for(element_count(node.dst()), 256), 1, 1}});
}

template <ReduceKind kind>
void plan_reduce(const OpNode& node, std::vector<Pass>& passes) {
    // Several work groups compute parts of the sum, which the second pass adds up.
    constexpr std::int64_t kManyElements = 65536;
    constexpr std::uint32_t kParts = 1024;
    Constants constants = constants_of(node, kind);
    if (kind < kTotal || element_count(node.src(0)) < kManyElements) {
        const std::int64_t groups = kind < kTotal ? row_count(node.src(0)) : 1;
        passes.push_back({"reduce", constants, {groups_for(groups, 1), 1, 1}});
        return;
    }
    constants[5] = 1;
    constants[6] = kParts;
    passes.push_back({"reduce", constants, {kParts, 1, 1}, ScratchUse::parts});
    constants[5] = 2;
    passes.push_back({"reduce", constants, {1, 1, 1}, ScratchUse::parts});
}

/// An invocation adds the repetitions of an element; if there are too many, a work group does.
void plan_repeat_back(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::int64_t kLoops = 4;
    const std::int64_t count = element_count(node.dst());
    if (may_iterate(node.device, kLoops * element_count(node.src(0)) / count)) {
        plan_positions<kRepeatGradient>(node, passes);
        return;
    }
    passes.push_back({"reduce", constants_of(node, kRepeated), {groups_for(count, 1), 1, 1}});
}

OpSupport supports_argmax(const OpQuery& query) {
    const TensorId source = query.graph.sources(query.node)[0];
    return is_float(query.graph[source].type) ? OpSupport{} : refuse_type(source, query);
}

/// Equal elements are counted in a float.
OpSupport supports_count_equal(const OpQuery& query) {
    constexpr std::int64_t kMaxExact = 1 << 24;
    const TensorId source = query.graph.sources(query.node)[0];
    return element_count(query.graph[source]) <= kMaxExact ? OpSupport{} : refuse_limit(source, query);
}

template <std::uint32_t kind>
void plan_order(const OpNode& node, std::vector<Pass>& passes) {
    passes.push_back({"order", constants_of(node, kind), all_groups_for(element_count(node.src(0)), 64)});
}

/// Each element is compared with all others of its row.
OpSupport supports_order(const OpQuery& query) {
    constexpr std::int64_t kMaxRowLength = 8192;
    const TensorId source = query.graph.sources(query.node)[0];
    if (!is_float(query.graph[source].type)) return refuse_type(source, query);
    return query.graph[source].ne[0] <= kMaxRowLength ? OpSupport{} : refuse_limit(source, query);
}

}  // namespace

std::span<const OpRow> arrange_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::concat, {.plan = plan_arrange<kConcatKind>}},
        {Op::repeat, {.plan = plan_arrange<kRepeatKind>}},
        {Op::pad, {.supports = f32_only, .plan = plan_arrange<kPadKind>}},
        {Op::pad_reflect_1d, {.supports = f32_only, .plan = plan_arrange<kReflectKind>}},
        {Op::roll, {.supports = f32_only, .plan = plan_arrange<kRollKind>}},
        {Op::win_part, {.supports = f32_only, .plan = plan_arrange<kWinPartKind>}},
        {Op::win_unpart, {.supports = f32_only, .plan = plan_arrange<kWinUnpartKind>}},
        {Op::get_rel_pos, {.plan = plan_arrange<kRelPosKind>}},
        {Op::diag, {.supports = f32_only, .plan = plan_arrange<kDiagKind>}},
        {Op::set, {.supports = supports_window, .plan = plan_window<kSetKind>}},
        {Op::acc, {.supports = supports_window, .plan = plan_window<kAccKind>}},
        {Op::diag_mask_inf, {.supports = floats_only, .plan = plan_positions<kMaskInf>}},
        {Op::diag_mask_zero, {.supports = floats_only, .plan = plan_positions<kMaskZero>}},
        {Op::tri, {.supports = floats_only, .plan = plan_positions<kTriangle>}},
        {Op::arange, {.supports = f32_only, .plan = plan_positions<kRange>}},
        {Op::timestep_embedding, {.supports = f32_only, .plan = plan_positions<kTimestep>}},
        {Op::add_rel_pos, {.supports = f32_only, .plan = plan_positions<kAddRelative>}},
        {Op::silu_back, {.supports = floats_only, .plan = plan_positions<kSiluGradient>}},
        {Op::repeat_back, {.supports = floats_only, .plan = plan_repeat_back}},
        {Op::sum_rows, {.supports = floats_only, .plan = plan_reduce<kRowSum>}},
        {Op::mean, {.supports = floats_only, .plan = plan_reduce<kRowMean>}},
        {Op::cumsum, {.supports = floats_only, .plan = plan_reduce<kRunningSum>}},
        {Op::argmax, {.supports = supports_argmax, .plan = plan_reduce<kLargest>}},
        {Op::sum, {.supports = floats_only, .plan = plan_reduce<kTotal>}},
        {Op::count_equal, {.supports = supports_count_equal, .plan = plan_reduce<kEqual>}},
        {Op::cross_entropy_loss, {.supports = floats_only, .plan = plan_reduce<kCrossEntropy>}},
        {Op::argsort, {.supports = supports_order, .plan = plan_order<0>}},
        {Op::top_k, {.supports = supports_order, .plan = plan_order<1>}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
