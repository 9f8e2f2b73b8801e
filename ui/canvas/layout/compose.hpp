// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ui/canvas/layout/block_layout.hpp"
#include "ui/canvas/layout/outline.hpp"

namespace splitscope::ui {

/// The whole picture: where frames and blocks are and how the edges between blocks run.
struct Picture {
    Rect bounds;
    double header = 0;  ///< height of the strip for a frame's title
    std::vector<Rect> frames;
    std::vector<Rect> blocks;
    std::vector<std::shared_ptr<const BlockLayout>> layouts;  ///< per block; equal blocks share one
    std::vector<Curve> cross_curves;                          ///< per cross edge of the outline

    /// Where the top left corner of a block's layout is in the picture.
    Point inner_origin(std::size_t block) const;
    /// Where an item's centre and box are in the picture.
    Point centre_of(ItemRef ref) const;
    Rect box_of(const Outline& outline, ItemRef ref) const;
};

/// Flows blocks inside frames and frames inside the picture like words in lines, with a line width that gives
/// the picture about the shape of a screen.
Picture compose(const Outline& outline, std::vector<std::shared_ptr<const BlockLayout>> layouts);

/// The splits of an outline that was made of whole splits, as boxes with edges where one reads another.
BlockShape overview_shape(const Outline& outline);

/// Such a shape once it is laid out, turned so that time goes to the right as a screen is wide.
Picture compose_overview(const Outline& outline, const BlockLayout& layout);

/// More splits than fit beside each other stand in lines, as wide as a canvas is, in the order in which they
/// run; many of them are smaller and closer together.
bool overview_wraps(const Outline& outline);
Picture compose_wrapped_overview(const Outline& outline);

/// A layout of our own for every block, equal blocks sharing one, composed.
Picture quick_picture(const Outline& outline);

}  // namespace splitscope::ui
