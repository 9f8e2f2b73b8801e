// SPDX-License-Identifier: MIT
#include "engine/scheduler/schedule.hpp"

#include <algorithm>

namespace splitscope {

SplitId Schedule::split_of_position(std::size_t node) const {
    const auto after = std::ranges::upper_bound(splits, node, {}, &Split::start);
    if (after == splits.begin()) return {};
    // Empty splits have the same start as the next one.
    const auto found = std::prev(after);
    return node < found->end ? SplitId(static_cast<std::size_t>(found - splits.begin())) : SplitId();
}

}  // namespace splitscope
