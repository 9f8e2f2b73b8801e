// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/layout/block_layout.hpp"

namespace splitscope::ui {

/// The shape as a graph in the DOT language, ready for `dot -Tplain`.
std::string to_dot(const BlockShape& shape);

/// Scene pixels: no layout of the shape is wider or higher, and what lies outside it is no further out. It
/// grows with the shape, so that a graph's layouts together stay within what pictures can measure.
double largest_side(const BlockShape& shape);

/// Reads what `dot -Tplain` wrote for graphs made by to_dot(), in the same order. An entry is missing where
/// the text is cut off, and where it does not describe that shape: each item has exactly one place, each edge
/// its curve, and no number is beyond largest_side().
std::vector<std::optional<BlockLayout>> parse_plain(std::string_view text,
                                                    std::span<const BlockShape> shapes);

}  // namespace splitscope::ui
