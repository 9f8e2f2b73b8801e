// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/plot_frame.hpp"

namespace splitscope::figures {
namespace {

constexpr double kBarHeight = 26;
constexpr double kBarPitch = 52;

struct Part {
    const char* name;
    const char* style;
    std::uint64_t bytes;
};

std::string bar(const Report& report, const ReportDevice& device, const PlotFrame& frame, double y) {
    const std::array<Part, 4> parts = {{{"weights", "s4", device.weights},
                                        {"caches", "s2", device.cache},
                                        {"compute", "s1", device.compute},
                                        {"output", "s0", device.output}}};
    const std::string_view colour = colour_of(report, device.backend);
    const double end = frame.x(static_cast<double>(std::max(device.memory, device.total())));
    std::string out = fmt::format("<rect class=\"lanebed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                                  xy(frame.left), xy(y), xy(end - frame.left), xy(kBarHeight));
    double begin = frame.left;
    for (const Part& part : parts) {
        if (part.bytes == 0) continue;
        const double width = static_cast<double>(part.bytes) / frame.x_max * frame.width;
        out += fmt::format(
            "<rect class=\"{}\" fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{} "
            "{}</title></rect>",
            part.style, colour, xy(begin), xy(y), xy(std::max(width, 0.6)), xy(kBarHeight), part.name,
            format_bytes(part.bytes));
        begin += width;
    }
    if (device.memory > 0) {
        const double limit = frame.x(static_cast<double>(device.memory));
        out += fmt::format("<path class=\"copy\" d=\"M{} {}V{}\"/>", xy(limit), xy(y - 4),
                           xy(y + kBarHeight + 4));
    }
    const std::string verdict =
        device.memory == 0 ? fmt::format("{} needed", format_bytes(device.total()))
        : device.total() <= device.memory
            ? fmt::format("{} of {}, {} left", format_bytes(device.total()), format_bytes(device.memory),
                          format_bytes(device.memory - device.total()))
            : fmt::format("{} of {}, {} short", format_bytes(device.total()), format_bytes(device.memory),
                          format_bytes(device.total() - device.memory));
    out += fmt::format(
        "<text class=\"boxtitle\" x=\"{}\" y=\"{}\">{}</text><text class=\"tick\" x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\">{}</text>",
        xy(frame.left), xy(y - 7), escape_html(shorten(label_of_backend(report, device.backend), 40)),
        xy(frame.left + frame.width), xy(y - 7), verdict);
    return out;
}

}  // namespace

std::string device_memory(const Report& report) {
    PlotFrame frame;
    frame.left = 12;
    frame.width = 920;
    frame.top = 26;
    std::string body;
    double y = frame.top;
    for (const ReportDevice& device : report.devices) {
        // A scale per device, because their memory sizes may differ by a factor of a hundred.
        frame.x_max = std::max(1.0, static_cast<double>(std::max(device.memory, device.total())));
        body += bar(report, device, frame, y);
        y += kBarPitch;
    }
    return svg(frame.left + frame.width + 12, y - 12, "Memory of each device", body);
}

}  // namespace splitscope::figures
