// SPDX-License-Identifier: MIT
#include "engine/reports/plot_frame.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/reports/escape.hpp"

namespace splitscope::figures {
namespace {

std::vector<double> multiples(double step, double max) {
    std::vector<double> ticks;
    for (int i = 0; i < 64; ++i) {
        ticks.push_back(step * i);
        if (ticks.back() >= max) break;
    }
    return ticks;
}

}  // namespace

std::vector<double> round_ticks(double max, int count, double base) {
    if (!(max > 0)) return {0.0, 1.0};
    const double rough = max / count;
    const double power = std::pow(base, std::floor(std::log(rough) / std::log(base)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = power * factor;
        if (step >= rough) break;
    }
    return multiples(step, max);
}

std::vector<double> byte_ticks(std::uint64_t max, int count) {
    const double rough = std::max(1.0, static_cast<double>(max) / count);
    return multiples(std::exp2(std::ceil(std::log2(rough))), std::max(1.0, static_cast<double>(max)));
}

std::string PlotFrame::byte_grid(double label_offset) const {
    std::string out;
    for (const double tick : byte_ticks(static_cast<std::uint64_t>(y_max), 4)) {
        if (tick > y_max * 1.001) break;
        out += fmt::format("<path class=\"grid\" d=\"M{} {}h{}\"/>", xy(left), xy(y(tick)), xy(width));
        out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                           xy(left - 8), xy(y(tick) + 4), format_bytes(static_cast<std::uint64_t>(tick)));
    }
    for (const double tick : round_ticks(x_max, 8, 10)) {
        if (tick > x_max) break;
        if (tick != std::floor(tick)) continue;
        out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                           xy(x(tick)), xy(top + height + label_offset),
                           format_count(static_cast<std::int64_t>(tick)));
    }
    out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">node</text>", xy(left - 8),
                       xy(top + height + label_offset));
    return out;
}

std::string svg(double width, double height, const std::string& title, const std::string& body) {
    return fmt::format(
        "<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
        "aria-label=\"{2}\">{3}</svg>\n",
        xy(width), xy(height), escape_html(title), body);
}

std::string xy(double value) {
    const double rounded = std::round(value * 10) / 10;
    return rounded == std::floor(rounded) ? fmt::format("{:.0f}", rounded) : fmt::format("{:.1f}", rounded);
}

}  // namespace splitscope::figures
