// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/series.hpp"

#include <algorithm>

namespace splitscope::ui {

SeriesPoints usage_staircase(const BufferTimeline& timeline, std::size_t node_count) {
    SeriesPoints points;
    double level = 0;
    for (const UsageStep& step : timeline.steps) {
        const auto x = static_cast<double>(std::max<NodePosition>(step.node, 0));
        points.emplace_back(x, level);
        points.emplace_back(x, static_cast<double>(step.bytes));
        level = static_cast<double>(step.bytes_after);
        points.emplace_back(x, level);
    }
    if (!points.empty()) {
        points.emplace_back(std::max(points.back().first, static_cast<double>(node_count)), level);
    }
    return points;
}

SeriesPoints gap_staircase(const BufferTimeline& timeline, std::size_t node_count) {
    SeriesPoints points;
    double level = 0;
    for (const UsageStep& step : timeline.steps) {
        const auto x = static_cast<double>(std::max<NodePosition>(step.node, 0));
        points.emplace_back(x, level);
        level = static_cast<double>(step.highest_end - std::min(step.highest_end, step.bytes));
        points.emplace_back(x, level);
    }
    if (!points.empty()) {
        points.emplace_back(std::max(points.back().first, static_cast<double>(node_count)), level);
    }
    return points;
}

SeriesPoints part_between(const SeriesPoints& points, double first_x, double last_x) {
    using Point = SeriesPoints::value_type;
    auto first = std::ranges::lower_bound(points, first_x, {}, &Point::first);
    auto end = std::ranges::upper_bound(points, last_x, {}, &Point::first);
    if (first != points.begin()) --first;
    if (end != points.end()) ++end;
    return first < end ? SeriesPoints(first, end) : SeriesPoints();
}

SeriesPoints reduce_to_columns(const SeriesPoints& points, std::size_t columns) {
    if (columns == 0 || points.size() <= columns * 4) return points;
    const double first_x = points.front().first;
    const double span = points.back().first - first_x;
    if (span <= 0) return points;
    SeriesPoints out;
    std::size_t i = 0;
    for (std::size_t column = 0; column < columns && i < points.size(); ++column) {
        const bool last_column = column + 1 == columns;
        const double end = first_x + span * static_cast<double>(column + 1) / static_cast<double>(columns);
        const std::size_t start = i;
        std::size_t low = i;
        std::size_t high = i;
        while (i < points.size() && (last_column || points[i].first < end)) {
            if (points[i].second < points[low].second) low = i;
            if (points[i].second > points[high].second) high = i;
            ++i;
        }
        if (i == start) continue;
        std::vector<std::size_t> kept = {start, low, high, i - 1};
        std::ranges::sort(kept);
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (const std::size_t k : kept) out.push_back(points[k]);
    }
    return out;
}

}  // namespace splitscope::ui
