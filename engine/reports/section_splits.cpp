// SPDX-License-Identifier: MIT
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "engine/reports/backend_name.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/scheduler/link_copies.hpp"
#include "engine/tensor/op_facts.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::report_parts {
namespace {

/// Work of each split: computing nodes and floating-point operations.
struct SplitWork {
    std::size_t nodes = 0;
    double flops = 0;
};

std::vector<SplitWork> work_of_splits(const Schedule& schedule) {
    const GraphView view(*schedule.graph);
    std::vector<SplitWork> work(schedule.splits.size());
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        for (std::size_t i = split.start; i < split.end; ++i) {
            const TensorId node = schedule.graph->nodes[i];
            if (is_view_op(view[node].op)) continue;
            ++work[s].nodes;
            work[s].flops += node_flops(view, node);
        }
    }
    return work;
}

/// Finds the split that computes a tensor: the first one if a node is listed again. None for leafs and
/// inputs.
class Producers {
 public:
    explicit Producers(const Schedule& schedule) : graph_(*schedule.graph) {
        for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
            const Split& split = schedule.splits[s];
            for (std::size_t i = split.start; i < split.end; ++i) split_of_.try_emplace(graph_.nodes[i], s);
        }
    }

    /// A view of a leaf has no split, even though the view is a node.
    SplitId of(TensorId tensor) const {
        const Tensor& t = graph_[tensor];
        if (t.is_view() && is_view_op(t.op)) tensor = t.view_src;
        const auto found = split_of_.find(tensor);
        return found == split_of_.end() ? SplitId() : found->second;
    }

 private:
    const Graph& graph_;
    std::unordered_map<TensorId, SplitId> split_of_;
};

Overview overview_of(const Schedule& schedule, const Producers& producers,
                     const std::vector<SplitWork>& work) {
    Overview overview;
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        overview.boxes.push_back({schedule.splits[s].backend, work[s].nodes, work[s].flops});
    }
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        std::map<std::pair<SplitId, BackendId>, std::size_t> arrow_of;
        std::map<std::size_t, std::uint64_t> largest;
        for (const TensorId input : schedule.splits[s].inputs) {
            const SplitId from = producers.of(input);
            const BackendId backend = schedule.backend[input.index()];
            const auto [found, added] = arrow_of.try_emplace({from, backend}, overview.arrows.size());
            if (added) overview.arrows.push_back({from, backend, SplitId(s), 0, 0, {}});
            OverviewArrow& arrow = overview.arrows[found->second];
            const Tensor& tensor = schedule.tensor(input);
            const std::uint64_t bytes = byte_size(tensor);
            ++arrow.copies;
            arrow.bytes += bytes;
            std::uint64_t& most = largest[found->second];
            if (added || bytes > most) {
                arrow.example = tensor.name;
                most = bytes;
            }
        }
    }
    return overview;
}

Table split_table(const Schedule& schedule, const std::vector<SplitWork>& work,
                  const ReportOptions& options) {
    Table table = new_table("splits", "Splits",
                            {{"split", "Split", ColumnKind::count},
                             {"backend", "Backend", ColumnKind::backend},
                             {"first_node", "First node", ColumnKind::count},
                             {"end_node", "End", ColumnKind::count},
                             {"nodes", "Computing nodes", ColumnKind::count},
                             {"flops", "FLOPs", ColumnKind::number},
                             {"inputs", "Inputs copied", ColumnKind::count},
                             {"bytes", "Bytes copied", ColumnKind::bytes},
                             {"begins_with", "Begins with", ColumnKind::name}},
                            options);
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        const std::string first = split.start < split.end
                                      ? schedule.tensor(schedule.graph->nodes[split.start]).name
                                      : std::string();
        table.add({cell(s), backend_name(schedule, split.backend), cell(split.start), cell(split.end),
                   cell(work[s].nodes), work[s].flops, cell(split.inputs.size()),
                   cell(copied_bytes(schedule, split)), first});
    }
    return table;
}

Table copy_table(const Schedule& schedule, const Producers& producers, const ReportOptions& options) {
    Table table = new_table("copies", "Tensors copied between backends",
                            {{"split", "For split", ColumnKind::count},
                             {"tensor", "Tensor", ColumnKind::name},
                             {"type", "Type", ColumnKind::text},
                             {"shape", "Shape", ColumnKind::text},
                             {"made_by", "Computed in split", ColumnKind::count},
                             {"from", "From", ColumnKind::backend},
                             {"to", "To", ColumnKind::backend},
                             {"bytes", "Bytes", ColumnKind::bytes}},
                            options);
    for (std::size_t s = 0; s < schedule.splits.size(); ++s) {
        const Split& split = schedule.splits[s];
        for (const TensorId input : split.inputs) {
            const Tensor& tensor = schedule.tensor(input);
            const SplitId made_by = producers.of(input);
            table.add({cell(s), tensor.name, std::string(name_of(tensor.type)), format_shape(tensor.ne),
                       made_by.valid() ? cell(made_by.index()) : Cell(std::string("input")),
                       backend_name(schedule, schedule.backend[input.index()]),
                       backend_name(schedule, split.backend), cell(byte_size(tensor))});
        }
    }
    return table;
}

Table link_table(const Schedule& schedule, const ReportOptions& options) {
    Table table = new_table("links", "Copied by link",
                            {{"from", "From", ColumnKind::backend},
                             {"to", "To", ColumnKind::backend},
                             {"copies", "Copies", ColumnKind::count},
                             {"bytes", "Bytes", ColumnKind::bytes}},
                            options);
    for (const LinkCopies& link : copies_by_link(schedule))
        table.add({backend_name(schedule, link.from), backend_name(schedule, link.to), cell(link.copies),
                   cell(link.bytes)});
    return table;
}

std::vector<Part> splits_parts(const ReportInput& input, Report& report) {
    const Schedule& schedule = *input.analysis.schedule;
    const Producers producers(schedule);
    const std::vector<SplitWork> work = work_of_splits(schedule);
    report.overview = overview_of(schedule, producers, work);
    constexpr std::size_t kDrawn = 80;
    std::string caption =
        "Splits run from top to bottom; an arrow is what is copied before a split runs; dashed: inputs and "
        "weights, "
        "which no split makes.";
    if (work.size() > kDrawn) caption += fmt::format(" The first {} of {} splits.", kDrawn, work.size());
    const auto draw = [](const Report& of) { return figures::split_overview(of, kDrawn); };
    return {BackendKey{}, Picture{draw, std::move(caption), false},
            ShownTable{split_table(schedule, work, input.options), TableLook::titled},
            ShownTable{link_table(schedule, input.options), TableLook::titled},
            ShownTable{copy_table(schedule, producers, input.options), TableLook::folded_if_long}};
}

}  // namespace

ReportSection splits_section() {
    return {"splits", msg::kSplitsSection, splits_parts};
}

}  // namespace splitscope::report_parts
