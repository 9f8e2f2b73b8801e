// SPDX-License-Identifier: MIT
// Convolutions, patches and pooling with a sliding window, and UPSCALE.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

/// Kinds of window.comp.
enum WindowKind : std::uint32_t {
    kConv2dKind,
    kConv2dDepthwiseKind,
    kConv3dKind,
    kConvTranspose1dKind,
    kConvTranspose2dKind,
    kPatchKind,
    kPatch3dKind,
    kOverlapKind,
    kPool1dKind,
    kPool2dKind,
};

template <WindowKind kind>
void plan_window(const OpNode& node, std::vector<Pass>& passes) {
    passes.push_back({"window", constants_of(node, kind), all_groups_for(element_count(node.dst()), 64)});
}

/// The second source, the image, is F32, as the CPU's table requires; results and columns are plain floats.
OpSupport supports_patches(const OpQuery& query) {
    return is_float(query.tensor().type) ? OpSupport{} : refuse_type(query.node, query);
}

OpSupport supports_overlap(const OpQuery& query) {
    const TensorId columns = query.graph.sources(query.node)[0];
    if (!is_float(query.graph[columns].type)) return refuse_type(columns, query);
    if (query.tensor().op_params[0] <= 0 || query.tensor().op_params[2] < 0)
        return {RefusalRule::parameter, query.node, query.tensor().type};
    return supports_patches(query);
}

void plan_upscale(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::int32_t kAlignCorners = 256;
    constexpr std::int32_t kAntialias = 512;
    constexpr std::uint32_t kAntialiasedKind = 3;
    const std::int32_t flags = node.dst().op_params[0];
    const bool smooth = (flags & kAntialias) != 0;
    Constants constants =
        constants_of(node, smooth ? kAntialiasedKind : static_cast<std::uint32_t>(flags & 255));
    constants[5] = (flags & kAlignCorners) != 0 ? 1 : 0;
    passes.push_back({"upscale", constants, {groups_for(element_count(node.dst()), 64), 1, 1}});
}

}  // namespace

std::span<const OpRow> window_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::conv_2d, {.plan = plan_window<kConv2dKind>}},
        {Op::conv_2d_dw, {.plan = plan_window<kConv2dDepthwiseKind>}},
        {Op::conv_3d, {.plan = plan_window<kConv3dKind>}},
        {Op::conv_transpose_1d, {.plan = plan_window<kConvTranspose1dKind>}},
        {Op::conv_transpose_2d, {.plan = plan_window<kConvTranspose2dKind>}},
        {Op::im2col, {.supports = supports_patches, .plan = plan_window<kPatchKind>}},
        {Op::im2col_3d, {.supports = supports_patches, .plan = plan_window<kPatch3dKind>}},
        {Op::col2im_1d, {.supports = supports_overlap, .plan = plan_window<kOverlapKind>}},
        {Op::pool_1d, {.supports = floats_only, .plan = plan_window<kPool1dKind>}},
        {Op::pool_2d, {.supports = floats_only, .plan = plan_window<kPool2dKind>}},
        {Op::upscale, {.supports = f32_only, .plan = plan_upscale}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
