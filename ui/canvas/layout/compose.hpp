// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ui/canvas/layout/block_layout.hpp"
#include "ui/canvas/layout/outline.hpp"

namespace splitscope::ui {

/// Positions of frames and blocks, and routes of the edges between blocks.
struct Picture {
    Rect bounds;
    double header = 0;  ///< height of a frame's strip above its blocks
    double title = 0;   ///< height of the title in the header; edges between blocks run below it
    std::vector<Rect> frames;
    std::vector<Rect> blocks;
    std::vector<std::shared_ptr<const BlockLayout>> layouts;  ///< per block; equal blocks share one
    std::vector<Curve> cross_curves;                          ///< per cross edge of the outline

    /// Position of a block's layout in the picture.
    Point inner_origin(std::size_t block) const;
    /// Position of an item's centre or box in the picture.
    Point centre_of(ItemRef ref) const;
    Rect box_of(const Outline& outline, ItemRef ref) const;
};

/// Arranges blocks within frames, and frames within the picture, like words in lines, with a line width that
/// gives the picture the aspect ratio of a screen.
Picture compose(const Outline& outline, std::vector<std::shared_ptr<const BlockLayout>> layouts);

/// The splits of an outline of whole splits, as boxes with edges from split to reader.
BlockShape overview_shape(const Outline& outline);

/// Arranges a laid-out overview so that time runs to the right.
Picture compose_overview(const Outline& outline, const BlockLayout& layout);

/// Whether the splits do not fit beside each other and are arranged in lines of the canvas's width, in
/// execution order; large numbers are drawn smaller and closer.
bool overview_wraps(const Outline& outline);
Picture compose_wrapped_overview(const Outline& outline);

/// A composed picture with the built-in layout; equal blocks share one.
Picture quick_picture(const Outline& outline);

}  // namespace splitscope::ui
