// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/memory/usage_timeline.hpp"

namespace splitscope::ui {

using SeriesPoints = std::vector<std::pair<double, double>>;

/// Bytes in use over the nodes as a staircase, ending at the last node.
SeriesPoints usage_staircase(const BufferTimeline& timeline, std::size_t node_count);

/// Bytes below the highest place in use that nobody uses, over the nodes: what is lost to gaps.
SeriesPoints gap_staircase(const BufferTimeline& timeline, std::size_t node_count);

/// No screen shows more of a line.
inline constexpr std::size_t kChartColumns = 1200;

/// At most about four points per column and nothing lost that a column would show: the first, lowest, highest
/// and last value of each. `points` ascend in x.
SeriesPoints reduce_to_columns(const SeriesPoints& points, std::size_t columns);

/// The part of a staircase between two places, with the points just outside, so that its lines reach the
/// rims.
SeriesPoints part_between(const SeriesPoints& points, double first_x, double last_x);

}  // namespace splitscope::ui
