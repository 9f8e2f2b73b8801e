// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ui/canvas/layout/geometry.hpp"
#include "ui/canvas/layout/outline.hpp"

namespace splitscope::ui {

/// Control points of joined cubic Bézier curves: 1 + 3·n points.
using Curve = std::vector<Point>;

/// Positions within one block, relative to its top left corner.
struct BlockLayout {
    Size size;
    std::vector<Point> centres;  ///< per item of the block
    std::vector<Curve> curves;   ///< per edge of the block
};

/// The input of a layout; blocks with equal shapes share one layout.
struct BlockShape {
    std::vector<ItemKind> kinds;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges;
    friend bool operator==(const BlockShape&, const BlockShape&) = default;

    static BlockShape of(const Block& block);
};

/// Blocks grouped by equal shapes.
struct ShapeGroups {
    std::vector<BlockShape> shapes;
    std::vector<std::size_t> shape_of_block;
};
ShapeGroups group_by_shape(const std::vector<Block>& blocks);

/// A built-in layered layout, available immediately. O((items + edges) · sweeps).
BlockLayout quick_layout(const BlockShape& shape);

}  // namespace splitscope::ui
