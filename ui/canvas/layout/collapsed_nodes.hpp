// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "ui/canvas/layout/outline.hpp"

namespace splitscope::ui {

/// The nodes of collapsed blocks. Other splits divide the graph into other blocks, which are collapsed if all
/// of their nodes are: what the user expanded stays visible, and undoing an edit restores every block.
class CollapsedNodes {
 public:
    CollapsedNodes() = default;
    /// `collapsed` has a flag for each block of `outline`.
    CollapsedNodes(const Outline& outline, const std::vector<bool>& collapsed);

    bool empty() const { return ranges_.empty(); }
    /// A flag for each block of any outline of the graph.
    std::vector<bool> blocks(const Outline& outline) const;

    friend bool operator==(const CollapsedNodes&, const CollapsedNodes&) = default;

 private:
    /// [start, end) positions in Graph::nodes.
    struct Range {
        std::size_t start = 0;
        std::size_t end = 0;
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::vector<Range> ranges_;  ///< in order, not adjacent
};

}  // namespace splitscope::ui
