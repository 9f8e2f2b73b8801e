// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

void add_bands(Report& report, const Schedule& schedule) {
    for (std::size_t i = 0; i < schedule.nodes.size(); ++i) {
        const BackendId backend = schedule.nodes[i].backend;
        const auto position = static_cast<NodePosition>(i);
        // Dependency views have their original's backend and compute nothing; they would only interrupt
        // bands.
        const TensorId tensor = schedule.nodes[i].tensor;
        const bool dependency =
            schedule.is_added(tensor) && schedule.added_of(tensor).kind == AddedTensor::Kind::dependency_view;
        if (!report.bands.empty() && (dependency || report.bands.back().backend == backend)) {
            report.bands.back().last = position;
        } else {
            report.bands.push_back({backend, position, position});
        }
    }
}

std::string node_name(const Schedule& schedule, NodePosition node) {
    if (node < 0 || static_cast<std::size_t>(node) >= schedule.nodes.size()) return "leafs and inputs";
    return schedule.tensor(schedule.nodes[static_cast<std::size_t>(node)].tensor).name;
}

Cell node_cell(NodePosition node) {
    return node < 0 ? Cell(std::string("start")) : Cell(static_cast<std::int64_t>(node));
}

Table peak_table(const Schedule& schedule, const BufferTimeline& timeline, const std::string& id,
                 const std::string& title, const ReportOptions& options) {
    Table table = new_table(id, title,
                            {{"tensor", "Tensor", ColumnKind::name},
                             {"offset", "Offset", ColumnKind::count},
                             {"bytes", "Bytes", ColumnKind::bytes},
                             {"first", "From node", ColumnKind::count},
                             {"last", "To node", ColumnKind::count},
                             {"in_place", "Placed", ColumnKind::text}},
                            options);
    for (const std::size_t index : timeline.live_at_peak) {
        const MemoryBlock& block = timeline.blocks[index];
        table.add({schedule.tensor(block.tensor).name, cell(block.offset), cell(block.size),
                   node_cell(block.first), node_cell(block.last),
                   std::string(block.in_place ? "in place of a source" : "free block")});
    }
    return table;
}

}  // namespace

void add_buffers(Report& report, const Analysis& analysis, const ReportOptions& options) {
    const Schedule& schedule = *analysis.schedule;
    add_bands(report, schedule);
    report.buffer_table = new_table("compute-buffers", "Compute buffers",
                                    {{"buffer", "Buffer", ColumnKind::name},
                                     {"size", "Size", ColumnKind::bytes},
                                     {"peak", "In use at the peak", ColumnKind::bytes},
                                     {"lost", "Lost to gaps", ColumnKind::bytes},
                                     {"peak_node", "Peak at node", ColumnKind::count},
                                     {"peak_name", "Placing", ColumnKind::name},
                                     {"placed", "Tensors placed", ColumnKind::count},
                                     {"in_place", "of these in place", ColumnKind::count}},
                                    options);
    for (BufferTimeline& timeline : usage_timelines(*analysis.plan)) {
        const std::size_t position = timeline.buffer.index();
        const auto& buffers = analysis.plan->buffers;
        if (!timeline.buffer.valid() || position >= buffers.size()) continue;
        ReportBuffer buffer;
        buffer.backend = BackendId(position);
        buffer.title = buffers[position].buffer_type;
        if (buffer.title.empty() && position < report.backends.size()) {
            buffer.title = report.backends[position].name;
        }
        if (buffers[position].chunk_sizes.size() > 1)
            buffer.title += fmt::format(", chunk {}", timeline.chunk);
        const std::string id = fmt::format("peak-{}-{}", position, timeline.chunk);
        buffer.peak = peak_table(schedule, timeline, id, "At the peak of " + buffer.title, options);
        const auto in_place = std::ranges::count(timeline.blocks, true, &MemoryBlock::in_place);
        const std::uint64_t lost =
            timeline.size > timeline.peak_bytes ? timeline.size - timeline.peak_bytes : 0;
        report.buffer_table.add(
            {buffer.title, cell(timeline.size), cell(timeline.peak_bytes), cell(lost),
             timeline.blocks.empty() ? Cell() : node_cell(timeline.peak_node),
             timeline.blocks.empty() ? std::string() : node_name(schedule, timeline.peak_node),
             cell(timeline.blocks.size()), static_cast<std::int64_t>(in_place)});
        buffer.timeline = std::move(timeline);
        report.buffers.push_back(std::move(buffer));
    }
}

}  // namespace splitscope::report_parts
