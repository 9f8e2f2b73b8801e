// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/reports/escape.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/plot_frame.hpp"

namespace splitscope::figures {
namespace {

constexpr double kLaneHeight = 26;
constexpr double kTimelinePitch = 36;

std::string describe(const ReportExecution& execution, const ExecutionEvent& event) {
    const std::string duration = format_duration((event.end - event.start).count());
    const std::size_t split = event.split.valid() ? event.split.index() : 0;
    switch (event.kind) {
        case ExecutionEventKind::compute:
            return fmt::format("split {}: computing for {}", split, duration);
        case ExecutionEventKind::wait:
            return fmt::format("split {}: waiting for {}", split, duration);
        case ExecutionEventKind::copy:
        case ExecutionEventKind::expert_copy:
            return fmt::format(
                "split {}: copying {} of {} for {}", split, format_bytes(event.bytes),
                event.tensor.valid() ? execution.schedule->tensor(event.tensor).name : "a tensor", duration);
    }
    return {};
}

std::string_view class_of(ExecutionEventKind kind) {
    switch (kind) {
        case ExecutionEventKind::compute:
            return "compute";
        case ExecutionEventKind::wait:
            return "wait";
        case ExecutionEventKind::copy:
        case ExecutionEventKind::expert_copy:
            return "copying";
    }
    return "compute";
}

}  // namespace

std::string execution_timeline(const Report& report, const ReportExecution& execution) {
    PlotFrame frame;
    frame.left = 124;
    frame.width = 824;
    frame.top = 10;
    const auto total = static_cast<double>(std::max<std::int64_t>(1, execution.execution->duration.count()));
    frame.x_max = total;
    std::map<BackendId, std::size_t> lanes;
    for (const ExecutionEvent& event : execution.execution->events) lanes.emplace(event.backend, 0);
    std::string body;
    std::size_t next = 0;
    for (auto& [backend, lane] : lanes) {
        lane = next++;
        const double y = frame.top + static_cast<double>(lane) * kTimelinePitch;
        body += fmt::format("<rect class=\"lanebed\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                            xy(frame.left), xy(y), xy(frame.width), xy(kLaneHeight));
        body += fmt::format("<text class=\"boxtitle\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                            xy(frame.left - 10), xy(y + 17),
                            escape_html(shorten(label_of_backend(report, backend), 16)));
    }
    // Skip an event that starts in the last drawn pixel of its lane and kind.
    std::map<std::pair<std::size_t, ExecutionEventKind>, double> drawn_to;
    for (const ExecutionEvent& event : execution.execution->events) {
        const std::size_t lane = lanes[event.backend];
        const double left = frame.x(static_cast<double>(event.start.count()));
        const double right = std::max(
            left + 0.6, std::min(frame.left + frame.width, frame.x(static_cast<double>(event.end.count()))));
        double& last = drawn_to[{lane, event.kind}];
        if (right < last + 0.3) continue;
        last = right;
        body += fmt::format(
            "<rect class=\"{}\" fill=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
            "height=\"{}\"><title>{}</title></rect>",
            class_of(event.kind), colour_of(report, event.backend), xy(left),
            xy(frame.top + static_cast<double>(lane) * kTimelinePitch), xy(right - left), xy(kLaneHeight),
            escape_html(describe(execution, event)));
    }
    const double bottom =
        frame.top + static_cast<double>(std::max<std::size_t>(1, lanes.size())) * kTimelinePitch;
    for (const double tick : round_ticks(total, 6, 10)) {
        if (tick > total) break;
        body +=
            fmt::format("<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                        xy(frame.x(tick)), xy(bottom + 10), format_duration(static_cast<std::int64_t>(tick)));
    }
    return svg(frame.left + frame.width + 16, bottom + 20, execution.title + " over time", body);
}

}  // namespace splitscope::figures
