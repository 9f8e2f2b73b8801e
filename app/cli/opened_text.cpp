// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/opened_text.hpp"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/reports/report.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/messages.hpp"

namespace splitscope::cli {
void print_opened(Console& console, const OpenedFile& opened, std::size_t max_rows) {
    const Graph& graph = *opened.graph;
    std::vector<Fact> facts = {{"File", opened.path.filename().string()},
                               {"Graph", graph.name},
                               {"Nodes", fmt::format("{}", graph.nodes.size())},
                               {"Sources", fmt::format("{}", source_count(graph))},
                               {"Tensors", fmt::format("{}", graph.tensors.size())}};
    if (opened.recorded) facts.push_back({"Splits", fmt::format("{}", opened.recorded->splits.size())});
    if (opened.generation) facts.push_back({"Generation", std::string(name_of(*opened.generation))});
    if (opened.machine) {
        std::string names;
        for (const MachineBackend& backend : opened.machine->backends) {
            names += (names.empty() ? "" : ", ") + backend.name;
        }
        facts.push_back({"Backends", names});
    }
    console.print(text_facts(facts));
    if (opened.graphs.size() > 1) {
        Table table;
        table.title = "Graphs in the file";
        table.columns = {{"number", "Number", ColumnKind::count}, {"graph", "Graph", ColumnKind::text},
                         {"nodes", "Nodes", ColumnKind::count},   {"splits", "Splits", ColumnKind::count},
                         {"times", "Times", ColumnKind::count},   {"opened", "", ColumnKind::text}};
        table.max_rows = max_rows;
        for (std::size_t i = 0; i < opened.graphs.size(); ++i) {
            const GraphInFile& each = opened.graphs[i];
            table.add({static_cast<std::int64_t>(i + 1), each.title, static_cast<std::int64_t>(each.nodes),
                       static_cast<std::int64_t>(each.splits), static_cast<std::int64_t>(each.times),
                       i == opened.graph_number ? "opened" : ""});
        }
        console.print("\n" + table.title + "\n" + text_table(table));
    }
    if (!opened.remarks.empty()) console.print("\n");
    for (const Message& remark : opened.remarks) console.print("Remark: " + english(remark) + "\n");
}

void print_compared(Console& console, const Schedule& ours, const RecordedComparison& compared,
                    std::size_t max_rows) {
    console.print(
        fmt::format("\nCompared with the recording: {} of {} tensors on other backends, splits {} / {}, "
                    "copies {} / {}{}\n",
                    compared.elsewhere.size(), compared.compared, compared.recorded_splits,
                    compared.our_splits, compared.recorded_copies, compared.our_copies,
                    compared.first_split
                        ? fmt::format(", the first that differs is split {}", compared.first_split->value)
                    : compared.ends_early ? ", the same as far as the log goes"
                                          : ", all the same"));
    if (compared.elsewhere.empty()) return;
    Table table;
    table.columns = {{"tensor", "Tensor", ColumnKind::name},
                     {"op", "Operation", ColumnKind::text},
                     {"recorded", "Recorded", ColumnKind::text},
                     {"ours", "Decided here", ColumnKind::text}};
    table.max_rows = max_rows;
    for (const RecordedDifference& difference : compared.elsewhere) {
        const Tensor& tensor = (*ours.graph)[difference.tensor];
        table.add({tensor.name, std::string(name_of(tensor.op)), difference.recorded,
                   difference.ours.empty() ? "none" : difference.ours});
    }
    console.print(text_table(table));
}

void print_replayed(Console& console, const ModelReplay& replay, std::size_t max_rows) {
    std::string layers;
    for (std::size_t d = 0; d < replay.device_layers.size(); ++d)
        layers += fmt::format("{}{} {}", d == 0 ? "" : ", ", replay.schedule->machine->backends[d].name,
                              replay.device_layers[d]);
    console.print(fmt::format("\nThe model's own graph of {}, flash attention {}{}: {}\n",
                              english(msg::kTokenCount(replay.tokens)), replay.flash_attention ? "on" : "off",
                              layers.empty() ? std::string() : fmt::format(", layers on {}", layers),
                              replay.different_nodes.empty()
                                  ? fmt::format("all {} nodes match the recording", replay.nodes)
                                  : fmt::format("{} of {} nodes differ from the recording",
                                                replay.different_nodes.size(), replay.nodes)));
    if (!replay.different_nodes.empty()) {
        Table table;
        table.columns = {{"position", "Node", ColumnKind::count},
                         {"recorded", "Recorded", ColumnKind::text},
                         {"built", "Built from the model", ColumnKind::text}};
        table.max_rows = max_rows;
        for (const GraphDifference& d : replay.different_nodes)
            table.add({static_cast<std::int64_t>(d.position), d.recorded, d.built});
        console.print(text_table(table));
    }
    print_compared(console, *replay.schedule, replay.decisions, max_rows);
}

}  // namespace splitscope::cli
