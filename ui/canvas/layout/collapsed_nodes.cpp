// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/layout/collapsed_nodes.hpp"

#include <algorithm>
#include <limits>

namespace splitscope::ui {

CollapsedNodes::CollapsedNodes(const Outline& outline, const std::vector<bool>& collapsed) {
    for (std::size_t b = 0; b < outline.blocks.size(); ++b) {
        if (!collapsed[b]) continue;
        const Block& block = outline.blocks[b];
        if (!ranges_.empty() && ranges_.back().end == block.start) {
            ranges_.back().end = block.end;
        } else {
            ranges_.push_back({block.start, block.end});
        }
    }
    // Other parameters may make the graph longer.
    if (!collapsed.empty() && collapsed.back()) ranges_.back().end = std::numeric_limits<std::size_t>::max();
}

std::vector<bool> CollapsedNodes::blocks(const Outline& outline) const {
    std::vector<bool> collapsed;
    collapsed.reserve(outline.blocks.size());
    for (const Block& block : outline.blocks) {
        const auto after = std::ranges::upper_bound(ranges_, block.start, {}, &Range::start);
        collapsed.push_back(after != ranges_.begin() && block.end <= std::prev(after)->end);
    }
    return collapsed;
}

}  // namespace splitscope::ui
