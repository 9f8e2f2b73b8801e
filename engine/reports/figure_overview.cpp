// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/plot_frame.hpp"
#include "engine/session/messages.hpp"

namespace splitscope::figures {
namespace {

constexpr double kMargin = 16;
constexpr double kBoxWidth = 200;
constexpr double kLanePitch = 400;
constexpr double kTop = 44;
constexpr double kChipGap = 26;
constexpr double kChipWidth = 150;

/// Positions: a lane per backend, a row per split. Copies from other splits enter the upper half of a box,
/// copies of inputs come from a chip at the right of its lower half.
struct Layout {
    double pitch = 66;
    double height = 46;
    std::map<BackendId, std::size_t> lanes;  ///< only backends that have a box

    explicit Layout(const Overview& overview, std::size_t count) {
        if (count > 24) {
            pitch = 52;
            height = 40;
        }
        for (std::size_t i = 0; i < count; ++i) lanes.emplace(overview.boxes[i].backend, 0);
        std::size_t next = 0;
        for (auto& [backend, lane] : lanes) lane = next++;
    }

    double x(BackendId backend) const {
        return kMargin + static_cast<double>(lanes.at(backend)) * kLanePitch;
    }
    double y(std::size_t row) const { return kTop + static_cast<double>(row) * pitch; }
};

std::string title_of(const OverviewArrow& arrow) {
    const std::string more = arrow.copies > 1 ? fmt::format(" and {} more", arrow.copies - 1) : std::string();
    return fmt::format("<title>{}{}: {}</title>", escape_html(arrow.example), more,
                       format_bytes(arrow.bytes));
}

std::string box_svg(const Report& report, const OverviewBox& box, const Layout& layout, std::size_t row) {
    const std::string_view colour = colour_of(report, box.backend);
    const double x = layout.x(box.backend);
    const double y = layout.y(row);
    std::string out =
        fmt::format("<g><title>split {}, {}, {}</title>", row,
                    escape_html(label_of_backend(report, box.backend)), english(msg::kNodeCount(box.nodes)));
    out += fmt::format("<rect class=\"bed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\"/>", xy(x),
                       xy(y), xy(kBoxWidth), xy(layout.height));
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" fill=\"{}\" fill-opacity=\"0.18\" "
        "stroke=\"{}\" stroke-width=\"1.5\"/>",
        xy(x), xy(y), xy(kBoxWidth), xy(layout.height), colour, colour);
    const std::string baseline = xy(y + layout.height / 2 + 4.5);
    out +=
        fmt::format("<text class=\"boxtitle\" x=\"{}\" y=\"{}\">split {}</text>", xy(x + 12), baseline, row);
    out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text></g>",
                       xy(x + kBoxWidth - 12), baseline, english(msg::kNodeCount(box.nodes)));
    return out;
}

/// The arrow head is drawn as a path, because not all SVG readers support markers.
std::string head_svg(double x, double y, bool rightwards) {
    const double back = rightwards ? -8 : 8;
    return fmt::format("<path class=\"head\" d=\"M{} {}L{} {}L{} {}z\"/>", xy(x), xy(y), xy(x + back),
                       xy(y - 4), xy(x + back), xy(y + 4));
}

/// A copy from another split: a curve between lanes into the upper half of the box.
std::string arrow_svg(const Overview& overview, const OverviewArrow& arrow, const Layout& layout) {
    const double from_x = layout.x(overview.boxes[arrow.from.index()].backend);
    const double to_x = layout.x(overview.boxes[arrow.to.index()].backend);
    const bool rightwards = from_x < to_x;
    const double x1 = rightwards ? from_x + kBoxWidth : from_x;
    const double x2 = rightwards ? to_x : to_x + kBoxWidth;
    const double y1 = layout.y(arrow.from.index()) + layout.height / 2;
    const double y2 = layout.y(arrow.to.index()) + layout.height * 0.3;
    const double bend = (x2 - x1) / 2;
    std::string out = "<g>" + title_of(arrow);
    out += fmt::format("<path class=\"copy\" d=\"M{} {}C{} {} {} {} {} {}\"/>", xy(x1), xy(y1), xy(x1 + bend),
                       xy(y1), xy(x2 - bend), xy(y2), xy(x2 + (rightwards ? -7 : 7)), xy(y2));
    out += head_svg(x2, y2, rightwards);
    out += fmt::format("<text class=\"copylabel\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text></g>",
                       xy(x2 + (rightwards ? -12 : 12)), xy(y2 - 5), rightwards ? "end" : "start",
                       format_bytes(arrow.bytes));
    return out;
}

/// Copied inputs and weights of a split: a chip beside it in the colour of their backend.
std::string chip_svg(const Report& report, const OverviewArrow& inputs, const Layout& layout) {
    const double box_right = layout.x(report.overview.boxes[inputs.to.index()].backend) + kBoxWidth;
    const double x = box_right + kChipGap;
    const double y = layout.y(inputs.to.index()) + layout.height * 0.72;
    const std::string_view colour = colour_of(report, inputs.from_backend);
    std::string out = "<g>" + title_of(inputs);
    out += fmt::format("<path class=\"copy\" d=\"M{} {}H{}\"/>", xy(x), xy(y), xy(box_right + 7));
    out += head_svg(box_right, y, false);
    out += fmt::format("<rect class=\"bed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"9\"/>", xy(x),
                       xy(y - 9), xy(kChipWidth));
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" rx=\"9\" fill=\"{}\" fill-opacity=\"0.08\" "
        "stroke=\"{}\" "
        "stroke-dasharray=\"4 3\"/>",
        xy(x), xy(y - 9), xy(kChipWidth), colour, colour);
    out += fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}, {}</text></g>",
                       xy(x + kChipWidth / 2), xy(y + 4), english(msg::kInputCount(inputs.copies)),
                       format_bytes(inputs.bytes));
    return out;
}

/// Copied inputs per split, summed over backends, in split order.
std::vector<OverviewArrow> inputs_by_split(const Overview& overview) {
    std::vector<OverviewArrow> chips;
    for (const OverviewArrow& arrow : overview.arrows) {
        if (arrow.from.valid()) continue;
        if (chips.empty() || chips.back().to != arrow.to) {
            chips.push_back(arrow);
            continue;
        }
        chips.back().copies += arrow.copies;
        chips.back().bytes += arrow.bytes;
    }
    return chips;
}

}  // namespace

std::string split_overview(const Report& report, std::size_t max_splits) {
    const Overview& overview = report.overview;
    const std::size_t count = std::min(overview.boxes.size(), max_splits);
    const Layout layout(overview, count);

    std::string body;
    for (const auto& [backend, lane] : layout.lanes) {
        body += fmt::format("<text class=\"lane\" x=\"{}\" y=\"24\">{}</text>", xy(layout.x(backend)),
                            escape_html(shorten(label_of_backend(report, backend), 28)));
    }
    for (const OverviewArrow& arrow : overview.arrows) {
        const bool both_drawn = arrow.from.valid() && arrow.from.index() < count && arrow.to.index() < count;
        if (both_drawn) body += arrow_svg(overview, arrow, layout);
    }
    for (const OverviewArrow& inputs : inputs_by_split(overview)) {
        if (inputs.to.index() < count) body += chip_svg(report, inputs, layout);
    }
    for (std::size_t i = 0; i < count; ++i) body += box_svg(report, overview.boxes[i], layout, i);

    const auto lanes = static_cast<double>(std::max<std::size_t>(1, layout.lanes.size()));
    const double width = 2 * kMargin + (lanes - 1) * kLanePitch + kBoxWidth + kChipGap + kChipWidth;
    return svg(width, layout.y(count) - (layout.pitch - layout.height) + kMargin,
               "Splits and copies between them", body);
}

}  // namespace splitscope::figures
