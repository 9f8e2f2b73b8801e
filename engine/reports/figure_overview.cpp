// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/plot_frame.hpp"
#include "engine/support/format_bytes.hpp"

namespace splitscope::figures {
namespace {

constexpr double kBoxWidth = 210;
constexpr double kLanePitch = 390;
constexpr double kTop = 44;

struct Layout {
    double pitch = 66;
    double box_height = 44;
    std::map<BackendId, std::size_t> lane;  ///< only backends that have a box
    std::vector<double> x;                  ///< left edge per box
    std::vector<double> y;                  ///< top edge per box
};

Layout lay_out(const Overview& overview, std::size_t count) {
    Layout layout;
    if (count > 24) {
        layout.pitch = 46;
        layout.box_height = 34;
    }
    for (std::size_t i = 0; i < count; ++i) layout.lane.emplace(overview.boxes[i].backend, 0);
    std::size_t next = 0;
    for (auto& [backend, lane] : layout.lane) lane = next++;
    std::size_t row = 0;
    const bool has_inputs = count > 0 && !overview.boxes[0].split.valid();
    for (std::size_t i = 0; i < count; ++i) {
        const OverviewBox& box = overview.boxes[i];
        if (box.split.valid()) row = box.split.index() + (has_inputs ? 1 : 0);
        layout.x.push_back(16 + static_cast<double>(layout.lane[box.backend]) * kLanePitch);
        layout.y.push_back(kTop + static_cast<double>(row) * layout.pitch);
    }
    return layout;
}

std::string box_svg(const Report& report, const OverviewBox& box, const Layout& layout, std::size_t i) {
    const std::string_view colour = colour_of(report, box.backend);
    const bool is_split = box.split.valid();
    const std::string title =
        is_split ? fmt::format("split {}", box.split.index()) : std::string("graph inputs");
    const auto plural = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string detail = is_split ? plural(box.nodes, "node")
                                        : fmt::format("{} copied from here", plural(box.tensors, "tensor"));
    std::string out = fmt::format("<g><title>{}, {}, {}</title>", title,
                                  escape_html(name_of_backend(report, box.backend)), detail);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" fill=\"{}\" fill-opacity=\"{}\" "
        "stroke=\"{}\" stroke-width=\"1.5\"{}/>",
        xy(layout.x[i]), xy(layout.y[i]), xy(kBoxWidth), xy(layout.box_height), colour,
        is_split ? "0.18" : "0.05", colour, is_split ? "" : " stroke-dasharray=\"5 3\"");
    out += fmt::format("<text class=\"boxtitle\" x=\"{}\" y=\"{}\">{}</text>", xy(layout.x[i] + 12),
                       xy(layout.y[i] + layout.box_height / 2 + 4.5), title);
    out +=
        fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text></g>",
                    xy(layout.x[i] + kBoxWidth - 12), xy(layout.y[i] + layout.box_height / 2 + 4.5), detail);
    return out;
}

/// Incoming arrows of a box share its side: each gets its own height.
std::string arrow_svg(const OverviewArrow& arrow, const Layout& layout, std::size_t slot, std::size_t slots) {
    const bool rightwards = layout.x[arrow.from] < layout.x[arrow.to];
    const double x1 = rightwards ? layout.x[arrow.from] + kBoxWidth : layout.x[arrow.from];
    const double x2 = rightwards ? layout.x[arrow.to] : layout.x[arrow.to] + kBoxWidth;
    const double y1 = layout.y[arrow.from] + layout.box_height / 2;
    const double y2 = layout.y[arrow.to] +
                      layout.box_height * (static_cast<double>(slot) + 1) / (static_cast<double>(slots) + 1);
    const double bend = (x2 - x1) / 2;
    const std::string label = arrow.copies == 1
                                  ? format_bytes(arrow.bytes)
                                  : fmt::format("{} in {} copies", format_bytes(arrow.bytes), arrow.copies);
    std::string out = fmt::format("<g><title>{}{}</title>", escape_html(arrow.example),
                                  arrow.copies > 1 ? fmt::format(" and {} more", arrow.copies - 1) : "");
    out += fmt::format("<path class=\"copy\" marker-end=\"url(#arrow)\" d=\"M{} {}C{} {} {} {} {} {}\"/>",
                       xy(x1), xy(y1), xy(x1 + bend), xy(y1), xy(x2 - bend), xy(y2),
                       xy(x2 + (rightwards ? -7 : 7)), xy(y2));
    out += fmt::format("<text class=\"copylabel\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text></g>",
                       xy(x2 + (rightwards ? -14 : 14)), xy(y2 - 5), rightwards ? "end" : "start", label);
    return out;
}

}  // namespace

std::string split_overview(const Report& report, std::size_t max_splits) {
    const Overview& overview = report.overview;
    std::size_t inputs = 0;
    while (inputs < overview.boxes.size() && !overview.boxes[inputs].split.valid()) ++inputs;
    const std::size_t count = std::min(overview.boxes.size(), inputs + max_splits);
    const Layout layout = lay_out(overview, count);

    std::string body =
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"1\" refY=\"4\" markerWidth=\"7\" "
        "markerHeight=\"7\" orient=\"auto\">"
        "<path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>";
    for (const auto& [backend, lane] : layout.lane) {
        body += fmt::format("<text class=\"lane\" x=\"{}\" y=\"24\" fill=\"{}\">{}</text>",
                            xy(16 + static_cast<double>(lane) * kLanePitch), colour_of(report, backend),
                            escape_html(shorten(name_of_backend(report, backend), 28)));
    }
    std::vector<std::size_t> incoming(count);
    for (const OverviewArrow& arrow : overview.arrows) {
        if (arrow.from < count && arrow.to < count) ++incoming[arrow.to];
    }
    std::vector<std::size_t> slot(count);
    std::string arrows;
    for (const OverviewArrow& arrow : overview.arrows) {
        if (arrow.from >= count || arrow.to >= count) continue;
        arrows += arrow_svg(arrow, layout, slot[arrow.to], incoming[arrow.to]);
        ++slot[arrow.to];
    }
    body += arrows;
    double bottom = kTop;
    for (std::size_t i = 0; i < count; ++i) {
        body += box_svg(report, overview.boxes[i], layout, i);
        bottom = std::max(bottom, layout.y[i] + layout.box_height);
    }
    const double lanes = static_cast<double>(std::max<std::size_t>(1, layout.lane.size()));
    return svg(32 + (lanes - 1) * kLanePitch + kBoxWidth, bottom + 14, "Splits and copies between them",
               body);
}

}  // namespace splitscope::figures
