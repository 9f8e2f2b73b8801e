// SPDX-License-Identifier: MIT
// Sequential operations with a state.
#include "backends/vulkan/ops/ops.hpp"

namespace splitscope::vulkan {
namespace {

constexpr std::int64_t kScanGroup = 32;
/// Elements of a state row that a work group of ssm_scan.comp can hold.
constexpr std::int64_t kMaxStateLength = 1024;
/// Maximum number of work groups in one dimension on all devices.
constexpr std::int64_t kMaxGroups = 65535;

std::uint32_t to_groups(std::int64_t n) {
    return static_cast<std::uint32_t>(n);
}

void plan_ssm_conv(const OpNode& node, std::vector<Pass>& passes) {
    passes.push_back({"ssm_conv", constants_of(node), {groups_for(element_count(node.dst()), 64), 1, 1}});
}

void plan_ssm_scan(const OpNode& node, std::vector<Pass>& passes) {
    const Tensor& state = node.src(0);
    const std::int64_t tokens = node.src(1).ne[2];
    const std::int64_t slices = (state.ne[0] + kScanGroup - 1) / kScanGroup;
    Constants constants = constants_of(node);
    constants[5] = to_groups(slices * kScanGroup);
    // Slices are loaded and stored once, and visited up to twice per token, plus a reduction per token.
    constexpr std::int64_t kReduction = 6;
    const std::int64_t left = std::int64_t{node.device.max_iterations} - 2 * slices - 4;
    const std::int64_t at_once = std::max<std::int64_t>(left / (2 * slices + 4 + kReduction), 1);
    const bool divides = node.device.max_iterations > 0 && tokens > at_once;
    constants[7] = divides ? to_groups(at_once) : 0;
    for (std::int64_t first = 0; first == 0 || (divides && first < tokens); first += at_once) {
        constants[6] = to_groups(first);
        passes.push_back({"ssm_scan",
                          constants,
                          {to_groups(state.ne[1]), to_groups(state.ne[2]), to_groups(node.src(1).ne[3])}});
    }
}

OpSupport supports_ssm_scan(const OpQuery& query) {
    const Sources& sources = query.graph.sources(query.node);
    const Tensor& state = query.graph[sources[0]];
    const bool fits = state.ne[0] <= kMaxStateLength && state.ne[1] <= kMaxGroups &&
                      state.ne[2] <= kMaxGroups && query.graph[sources[1]].ne[3] <= kMaxGroups;
    return fits ? OpSupport{} : refuse_limit(sources[0], query);
}

/// Tokens that an invocation of recurrence.comp may compute. It copies its part of the state once, then
/// visits it at most twice per token; the end of a loop counts as an iteration.
std::int64_t tokens_at_once(std::int64_t size, const KernelTraits& device) {
    const std::int64_t left = std::int64_t{device.max_iterations} - size - 4;
    return std::max<std::int64_t>(left / (2 * size + 4), 1);
}

/// One invocation per row or column of a head's state.
template <std::uint32_t kind>
void plan_recurrence(const OpNode& node, std::vector<Pass>& passes) {
    constexpr std::size_t kStates[] = {5, 4, 6, 5};
    const Tensor& shape = node.src(kind == 3 ? 2 : 0);
    const std::int64_t sequences = kind == 3 ? shape.ne[3] : node.src(kStates[kind]).ne[1];
    const std::int64_t tokens = kind == 3 ? shape.ne[2] : shape.ne[2] / sequences;
    const std::int64_t at_once = tokens_at_once(shape.ne[0], node.device);
    const bool divides = node.device.max_iterations > 0 && tokens > at_once;
    Constants constants = constants_of(node, kind);
    constants[6] = divides ? to_groups(at_once) : 0;
    const std::uint32_t groups = groups_for(shape.ne[0] * shape.ne[1] * sequences, 64);
    for (std::int64_t first = 0; first == 0 || (divides && first < tokens); first += at_once) {
        constants[5] = to_groups(first);
        passes.push_back({"recurrence", constants, {groups, 1, 1}});
    }
}

}  // namespace

std::span<const OpRow> recurrent_entries() {
    static constexpr auto rows = std::to_array<OpRow>({
        {Op::ssm_conv, {.supports = f32_only, .plan = plan_ssm_conv}},
        {Op::ssm_scan, {.supports = supports_ssm_scan, .plan = plan_ssm_scan}},
        {Op::rwkv_wkv6, {.supports = f32_only, .plan = plan_recurrence<0>}},
        {Op::gated_linear_attn, {.supports = f32_only, .plan = plan_recurrence<1>}},
        {Op::rwkv_wkv7, {.supports = f32_only, .plan = plan_recurrence<2>}},
        {Op::gated_delta_net, {.supports = f32_only, .plan = plan_recurrence<3>}},
    });
    return rows;
}

}  // namespace splitscope::vulkan
