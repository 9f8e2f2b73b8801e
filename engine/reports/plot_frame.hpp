// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace splitscope::figures {

/// About `count` axis ticks from 0 to at least `max`, in steps of 1, 2 or 5 times a power of `base`.
std::vector<double> round_ticks(double max, int count, double base);

/// Ticks for byte counts, in steps of 1, 2, 4 … times a binary unit.
std::vector<double> byte_ticks(std::uint64_t max, int count);

/// The plot area with its scales.
struct PlotFrame {
    double left = 74;
    double top = 14;
    double width = 860;
    double height = 190;
    double x_min = 0;
    double x_max = 1;
    double y_max = 1;

    double x(double value) const { return left + (value - x_min) / (x_max - x_min) * width; }
    double y(double value) const { return top + height - value / y_max * height; }

    /// Horizontal grid lines with byte labels, and node labels on the x axis.
    std::string byte_grid(double label_offset) const;
};

/// An SVG element with a title for screen readers.
std::string svg(double width, double height, const std::string& title, const std::string& body);

/// A coordinate with at most one decimal.
std::string xy(double value);

}  // namespace splitscope::figures
