// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/reports/figures.hpp"
#include "engine/reports/messages.hpp"
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

/// The plot of the buffer at this index of the report.
std::vector<Part> pictures_of(const ReportBuffer& buffer, std::size_t place) {
    if (buffer.timeline.steps.empty()) return {};
    constexpr std::size_t kDrawn = 1200;
    std::string caption =
        "Where each tensor lies (offset over node index); dark ones took over a source in place.";
    if (buffer.timeline.blocks.size() > kDrawn)
        caption += fmt::format(" The {} largest of {} places.", kDrawn, buffer.timeline.blocks.size());
    const auto usage = [place](const Report& of) { return figures::buffer_usage(of, of.buffers[place]); };
    const auto map = [place](const Report& of) { return figures::memory_map(of, of.buffers[place], kDrawn); };
    return {
        Picture{usage,
                "Bytes in use over the node index; the dashed line is the highest end of a tensor in use."},
        Picture{map, std::move(caption)}};
}

std::vector<Part> buffers_parts(const ReportInput& input, Report& report) {
    const Analysis& analysis = input.analysis;
    const ReportOptions& options = input.options;
    const Schedule& schedule = *analysis.schedule;
    add_bands(report, schedule);
    Table table = new_table("compute-buffers", "Compute buffers",
                            {{"buffer", "Buffer", ColumnKind::name},
                             {"size", "Size", ColumnKind::bytes},
                             {"peak", "In use at the peak", ColumnKind::bytes},
                             {"lost", "Lost to gaps", ColumnKind::bytes},
                             {"peak_node", "Peak at node", ColumnKind::count},
                             {"peak_name", "Node at the peak", ColumnKind::name},
                             {"placed", "Tensors placed", ColumnKind::count},
                             {"in_place", "In place", ColumnKind::count}},
                            options);
    std::vector<Part> groups;
    for (BufferTimeline& timeline : usage_timelines(*analysis.plan)) {
        const std::size_t position = timeline.buffer.index();
        const auto& buffers = analysis.plan->buffers;
        if (!timeline.buffer.valid() || position >= buffers.size()) continue;
        ReportBuffer buffer;
        Group group;
        buffer.backend = BackendId(position);
        buffer.title = buffers[position].buffer_type;
        if (buffer.title.empty() && position < report.backends.size()) {
            buffer.title = report.backends[position].name;
        }
        if (buffers[position].chunk_sizes.size() > 1)
            buffer.title += fmt::format(", chunk {}", timeline.chunk);
        const std::string id = fmt::format("peak-{}-{}", position, timeline.chunk);
        ShownTable peak{peak_table(schedule, timeline, id, "At the peak of " + buffer.title, options),
                        TableLook::folded};
        const auto in_place = std::ranges::count(timeline.blocks, true, &MemoryBlock::in_place);
        const std::uint64_t lost =
            timeline.size > timeline.peak_bytes ? timeline.size - timeline.peak_bytes : 0;
        table.add({buffer.title, cell(timeline.size), cell(timeline.peak_bytes), cell(lost),
                   timeline.blocks.empty() ? Cell() : node_cell(timeline.peak_node),
                   timeline.blocks.empty() ? std::string() : node_name(schedule, timeline.peak_node),
                   cell(timeline.blocks.size()), static_cast<std::int64_t>(in_place)});
        buffer.timeline = std::move(timeline);
        group.title = buffer.title;
        group.parts = pictures_of(buffer, report.buffers.size());
        group.parts.emplace_back(std::move(peak));
        groups.emplace_back(std::move(group));
        report.buffers.push_back(std::move(buffer));
    }
    std::vector<Part> parts = {Introduction{"What the graph allocator plans for each compute buffer. The "
                                            "strip below each plot is the backend "
                                            "of the node that is being placed."},
                               BackendKey{}, ShownTable{std::move(table)}};
    parts.insert(parts.end(), std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
    return parts;
}

}  // namespace

ReportSection buffers_section() {
    return {"buffers", msg::kBuffersSection, buffers_parts};
}

}  // namespace splitscope::report_parts
