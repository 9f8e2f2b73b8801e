// SPDX-License-Identifier: MIT
#include "backends/vulkan/converted_columns.hpp"

#include <algorithm>

namespace splitscope::vulkan {
namespace {

/// From the first to the last element of an F32 tensor.
MemoryRange range_of(const TensorBlock& t) {
    std::uint64_t bytes = sizeof(float);
    for (std::size_t d = 0; d < kMaxDims; ++d) bytes += std::uint64_t{t.ne[d] - 1} * t.nb[d];
    return {t.data, bytes};
}

}  // namespace

void ConvertedColumns::record(const Pass& pass, const NodeBlock& block) {
    if (pass.scratch == ScratchUse::parts) held_ = false;
    if (pass.scratch != ScratchUse::converts) return;
    held_ = true;
    constants_ = pass.constants;
    columns_ = block.src[1];
}

void ConvertedColumns::drop_if_overwritten(std::span<const MemoryRange> writes) {
    if (!held_) return;
    const MemoryRange columns = range_of(columns_);
    held_ = std::ranges::none_of(writes, [&](const MemoryRange& range) { return overlap(range, columns); });
}

}  // namespace splitscope::vulkan
