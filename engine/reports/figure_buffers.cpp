// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/plot_frame.hpp"

namespace splitscope::figures {
namespace {

constexpr double kBuffersMargin = 16;

PlotFrame frame_for(const Report& report, const ReportBuffer& buffer) {
    PlotFrame frame;
    const NodePosition last_band = report.bands.empty() ? 0 : report.bands.back().last;
    const NodePosition last_step = buffer.timeline.steps.empty() ? 0 : buffer.timeline.steps.back().node;
    frame.x_min = -1;
    frame.x_max = static_cast<double>(std::max({last_band, last_step, NodePosition{0}})) + 1;
    const auto top = static_cast<double>(std::max(buffer.timeline.size, buffer.timeline.peak_bytes));
    frame.y_max = std::max(1.0, top * 1.06);
    return frame;
}

/// The strip below a plot with the backend of each node. Bands narrower than half a pixel are merged.
std::string band_strip(const Report& report, const PlotFrame& frame) {
    std::string out;
    double drawn_to = frame.left;
    for (const SplitBand& band : report.bands) {
        const double left = std::max(drawn_to, frame.x(static_cast<double>(band.first)));
        const double right = frame.x(static_cast<double>(band.last) + 1);
        if (right - left < 0.5) continue;
        out +=
            fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"6\" fill=\"{}\"/>", xy(left),
                        xy(frame.top + frame.height + 3), xy(right - left), colour_of(report, band.backend));
        drawn_to = right;
    }
    return out;
}

/// A step path through one value of the steps, with the maximum per pixel column.
template <class Value>
std::string step_path(const PlotFrame& frame, const std::vector<UsageStep>& steps, Value&& value) {
    std::string path;
    double last_y = -1;
    for (std::size_t i = 0; i < steps.size();) {
        const double x = std::floor(frame.x(static_cast<double>(steps[i].node)));
        std::uint64_t most = 0;
        std::size_t end = i;
        while (end < steps.size() && std::floor(frame.x(static_cast<double>(steps[end].node))) == x) {
            most = std::max(most, static_cast<std::uint64_t>(value(steps[end])));
            ++end;
        }
        const double y = frame.y(static_cast<double>(most));
        if (path.empty()) {
            path = fmt::format("M{} {}", xy(x), xy(y));
        } else if (y != last_y) {
            path += fmt::format("H{}V{}", xy(x), xy(y));
        }
        last_y = y;
        i = end;
    }
    if (!path.empty()) path += fmt::format("H{}", xy(frame.left + frame.width));
    return path;
}

std::string peak_mark(const PlotFrame& frame, const BufferTimeline& timeline) {
    const double x = frame.x(static_cast<double>(timeline.peak_node));
    const double y = frame.y(static_cast<double>(timeline.peak_bytes));
    const bool left_side = x > frame.left + frame.width * 0.7;
    std::string out = fmt::format("<circle class=\"peak\" cx=\"{}\" cy=\"{}\" r=\"4\" />", xy(x), xy(y));
    const std::string where =
        timeline.peak_node < 0 ? std::string("the start") : fmt::format("node {}", timeline.peak_node);
    out += fmt::format("<text class=\"mark\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">peak {} at {}</text>",
                       xy(x + (left_side ? -9 : 9)), xy(std::max(y - 6, 12.0)), left_side ? "end" : "start",
                       format_bytes(timeline.peak_bytes), where);
    return out;
}

}  // namespace

std::string_view colour_of(const Report& report, BackendId backend) {
    static constexpr std::string_view none = "#8a8f98";
    return backend.valid() && backend.index() < report.backends.size()
               ? std::string_view(report.backends[backend.index()].colour)
               : none;
}

std::string_view label_of_backend(const Report& report, BackendId backend) {
    return backend.valid() && backend.index() < report.backends.size()
               ? std::string_view(report.backends[backend.index()].label)
               : std::string_view("none");
}

std::string buffer_usage(const Report& report, const ReportBuffer& buffer) {
    const PlotFrame frame = frame_for(report, buffer);
    const BufferTimeline& timeline = buffer.timeline;
    const std::string_view colour = colour_of(report, buffer.backend);
    std::string body = frame.byte_grid(26) + band_strip(report, frame);
    const std::string used = step_path(frame, timeline.steps, [](const UsageStep& s) { return s.bytes; });
    const std::string end =
        step_path(frame, timeline.steps, [](const UsageStep& s) { return s.highest_end; });
    if (!used.empty()) {
        body += fmt::format("<path class=\"extent\" d=\"{}\"/>", end);
        body += fmt::format("<path fill=\"{}\" fill-opacity=\"0.22\" d=\"{}V{}H{}Z\"/>", colour, used,
                            xy(frame.y(0)),
                            xy(std::floor(frame.x(static_cast<double>(timeline.steps.front().node)))));
        body += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>", colour, used);
        body += peak_mark(frame, timeline);
    }
    return svg(frame.left + frame.width + kBuffersMargin, frame.top + frame.height + 36,
               fmt::format("Bytes in use in {} over the nodes", buffer.title), body);
}

std::string memory_map(const Report& report, const ReportBuffer& buffer, std::size_t max_blocks) {
    const PlotFrame frame = frame_for(report, buffer);
    const auto& blocks = buffer.timeline.blocks;
    const std::string_view colour = colour_of(report, buffer.backend);

    std::vector<std::size_t> drawn(blocks.size());
    std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    if (drawn.size() > max_blocks) {
        const auto area = [&](std::size_t i) {
            return static_cast<double>(blocks[i].size) *
                   static_cast<double>(blocks[i].last - blocks[i].first + 1);
        };
        std::ranges::nth_element(drawn, drawn.begin() + static_cast<std::ptrdiff_t>(max_blocks),
                                 [&](std::size_t a, std::size_t b) { return area(a) > area(b); });
        drawn.resize(max_blocks);
        std::ranges::sort(drawn);
    }
    std::string body = frame.byte_grid(26) + band_strip(report, frame);
    body += fmt::format("<g fill=\"{0}\" stroke=\"{0}\" class=\"blocks\">", colour);
    for (const std::size_t i : drawn) {
        const MemoryBlock& block = blocks[i];
        if (block.size == 0) continue;
        const double left = frame.x(static_cast<double>(block.first));
        const double right = frame.x(static_cast<double>(block.last) + 1);
        const double top = frame.y(static_cast<double>(block.offset + block.size));
        const double bottom = frame.y(static_cast<double>(block.offset));
        const std::size_t shade = block.in_place ? 4 : block.tensor.index() % 4;
        body += fmt::format(
            "<rect class=\"s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {} at {}, nodes {} "
            "to {}"
            "</title></rect>",
            shade, xy(left), xy(top), xy(std::max(0.4, right - left)), xy(std::max(0.4, bottom - top)),
            escape_html(shorten(report.tensor_names[block.tensor.index()], 48)), format_bytes(block.size),
            block.offset, block.first < 0 ? std::string("start") : fmt::format("{}", block.first),
            block.last);
    }
    body += "</g>";
    return svg(frame.left + frame.width + kBuffersMargin, frame.top + frame.height + 36,
               fmt::format("Places in {} over the nodes", buffer.title), body);
}

}  // namespace splitscope::figures
