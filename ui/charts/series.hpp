// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "engine/memory/usage_timeline.hpp"

namespace splitscope::ui {

using SeriesPoints = std::vector<std::pair<double, double>>;

/// Bytes in use over the nodes as a step function up to the last node.
SeriesPoints usage_staircase(const BufferTimeline& timeline, std::size_t node_count);

/// Unused bytes below the highest allocation over the nodes: the cost of fragmentation.
SeriesPoints gap_staircase(const BufferTimeline& timeline, std::size_t node_count);

/// Columns to which lines are reduced; more would not be visible on a screen.
inline constexpr std::size_t kChartColumns = 1200;

/// Reduces to about four points per column without visible loss: first, minimum, maximum and last value of
/// each. `points` must ascend in x.
SeriesPoints reduce_to_columns(const SeriesPoints& points, std::size_t columns);

/// The part of a step function between two positions, with the adjacent points, so that lines reach the
/// edges.
SeriesPoints part_between(const SeriesPoints& points, double first_x, double last_x);

}  // namespace splitscope::ui
