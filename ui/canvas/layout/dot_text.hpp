// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ui/canvas/layout/block_layout.hpp"

namespace splitscope::ui {

/// The shape in the DOT language, as input of `dot -Tplain`.
std::string to_dot(const BlockShape& shape);

/// Maximum width and height of a layout of this shape, in scene pixels; also the bound for coordinates
/// outside it. Grows with the shape, so that the sum over a graph stays within the range of pictures.
double largest_side(const BlockShape& shape);

/// Parses the output of `dot -Tplain` for graphs made by to_dot(), in order. An entry is empty if the text is
/// truncated or does not match the shape: each item needs exactly one position, each edge a curve, and all
/// numbers must be within largest_side().
std::vector<std::optional<BlockLayout>> parse_plain(std::string_view text,
                                                    std::span<const BlockShape> shapes);

}  // namespace splitscope::ui
