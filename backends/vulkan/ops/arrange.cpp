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
enum ReduceKind : std::uint32_t { kRowSum, kRowMean, kRunningSum, kLargest, kTotal, kEqual, kCrossEntropy };

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
    const std::int64_t groups = kind < kTotal ? row_count(node.src(0)) : 1;
    passes.push_back({"reduce", constants_of(node, kind), {groups_for(groups, 1), 1, 1}});
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
    passes.push_back({"order", constants_of(node, kind), {groups_for(element_count(node.src(0)), 64), 1, 1}});
}

/// Each element is compared with all others of its row.
OpSupport supports_order(const OpQuery& query) {
    constexpr std::int64_t kMaxRowLength = 8192;
    const TensorId source = query.graph.sources(query.node)[0];
    if (!is_float(query.graph[source].type)) return refuse_type(source, query);
    return query.graph[source].ne[0] <= kMaxRowLength ? OpSupport{} : refuse_limit(source, query);
}

}  // namespace

const OpEntry kConcat{.plan = plan_arrange<kConcatKind>};
const OpEntry kRepeat{.plan = plan_arrange<kRepeatKind>};
const OpEntry kPad{.supports = f32_only, .plan = plan_arrange<kPadKind>};
const OpEntry kPadReflect{.supports = f32_only, .plan = plan_arrange<kReflectKind>};
const OpEntry kRoll{.supports = f32_only, .plan = plan_arrange<kRollKind>};
const OpEntry kWinPart{.supports = f32_only, .plan = plan_arrange<kWinPartKind>};
const OpEntry kWinUnpart{.supports = f32_only, .plan = plan_arrange<kWinUnpartKind>};
const OpEntry kGetRelPos{.plan = plan_arrange<kRelPosKind>};
const OpEntry kDiag{.supports = f32_only, .plan = plan_arrange<kDiagKind>};
const OpEntry kSet{.supports = supports_window, .plan = plan_window<kSetKind>};
const OpEntry kAcc{.supports = supports_window, .plan = plan_window<kAccKind>};
const OpEntry kDiagMaskInf{.supports = floats_only, .plan = plan_positions<kMaskInf>};
const OpEntry kDiagMaskZero{.supports = floats_only, .plan = plan_positions<kMaskZero>};
const OpEntry kTri{.supports = floats_only, .plan = plan_positions<kTriangle>};
const OpEntry kArange{.supports = f32_only, .plan = plan_positions<kRange>};
const OpEntry kTimestepEmbedding{.supports = f32_only, .plan = plan_positions<kTimestep>};
const OpEntry kAddRelPos{.supports = f32_only, .plan = plan_positions<kAddRelative>};
const OpEntry kSiluBack{.supports = floats_only, .plan = plan_positions<kSiluGradient>};
const OpEntry kRepeatBack{.supports = floats_only, .plan = plan_positions<kRepeatGradient>};
const OpEntry kSumRows{.supports = floats_only, .plan = plan_reduce<kRowSum>};
const OpEntry kMean{.supports = floats_only, .plan = plan_reduce<kRowMean>};
const OpEntry kCumsum{.supports = floats_only, .plan = plan_reduce<kRunningSum>};
const OpEntry kArgmax{.supports = supports_argmax, .plan = plan_reduce<kLargest>};
const OpEntry kSum{.supports = floats_only, .plan = plan_reduce<kTotal>};
const OpEntry kCountEqual{.supports = supports_count_equal, .plan = plan_reduce<kEqual>};
const OpEntry kCrossEntropyLoss{.supports = floats_only, .plan = plan_reduce<kCrossEntropy>};
const OpEntry kArgsort{.supports = supports_order, .plan = plan_order<0>};
const OpEntry kTopK{.supports = supports_order, .plan = plan_order<1>};

}  // namespace splitscope::vulkan
