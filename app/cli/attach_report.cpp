// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attach_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/table.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/messages.hpp"
#include "engine/tensor/shape.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope::cli {
namespace {

std::string node_of(const AttachedGraph& graph, TensorId tensor) {
    return fmt::format("{} ({})", numbered_name(graph.identities->of(tensor)),
                       name_of((*graph.graph)[tensor].op));
}

std::string tensor_of(const AttachedGraph& graph, TensorId tensor) {
    return (*graph.graph)[tensor].op == Op::none ? (*graph.graph)[tensor].name : node_of(graph, tensor);
}

/// "graph 1: norm-3 (RMS_NORM) on CPU changes its operand 0, l_out-2: 4 bytes from byte 0".
std::string describe(const StrayWrite& write) {
    const AttachedGraph& graph = *write.graph;
    const std::string bytes = write.bytes == 1 ? "1 byte" : fmt::format("{} bytes", write.bytes);
    std::string text = fmt::format("graph {}: {} on {} ", write.computation, node_of(graph, write.node),
                                   graph.backend_name(write.node));
    const bool adjacent = write.distance && *write.distance == 0;
    if (write.operand && !adjacent) {
        text += fmt::format("changes its operand {}", *write.operand);
    } else {
        const std::int64_t distance = write.distance.value_or(0);
        text +=
            fmt::format("writes {} its result", distance >= 0 ? "past the end of" : "before the start of");
        if (distance > 0) text += fmt::format(", from {} bytes past it", distance);
    }
    if (!write.tensor.valid())
        return fmt::format("{}: {}, where no tensor has values that are read later", text, bytes);
    return fmt::format("{}{}{}: {} from byte {}", text, write.operand && !adjacent ? ", " : ", into ",
                       tensor_of(graph, write.tensor), bytes, write.offset);
}

void print_stray_writes(Console& console, const std::vector<StrayWrite>& writes, std::size_t rows) {
    if (writes.empty()) return;
    console.print("\nNodes that write outside their result, so that later nodes may read wrong values:\n");
    const std::size_t shown = std::min(rows, writes.size());
    for (std::size_t i = 0; i < shown; ++i) console.print(fmt::format("  {}\n", describe(writes[i])));
    if (shown < writes.size()) console.print(fmt::format("  … and {} more\n", writes.size() - shown));
}

std::string number_text(double value) {
    // Without the sign that a NaN may have.
    return std::isnan(value) ? "NaN" : fmt::format("{:.3g}", value);
}

/// "3 NaN", "1 infinity", "3 NaN and 2 infinities".
std::string describe_not_finite(const TensorStatistics& s) {
    std::string text;
    if (s.nan > 0) text = fmt::format("{} NaN", s.nan);
    if (s.infinite > 0) {
        text += fmt::format("{}{} {}", text.empty() ? "" : " and ", s.infinite,
                            s.infinite == 1 ? "infinity" : "infinities");
    }
    return text;
}

/// Whether an operand that no node computed, and so nothing has checked before, holds a NaN or an infinity.
/// Infinities in inputs are those of masks.
bool brings_not_finite(const SeenTensor& operand, const Graph& graph) {
    const Tensor& t = operand.tensor;
    const Tensor& memory = t.is_view() ? graph[t.view_src] : t;
    const TensorStatistics& found = operand.values.statistics;
    return memory.op == Op::none && (found.nan > 0 || (found.infinite > 0 && !memory.is_input()));
}

Table values_table(const std::vector<SeenTensor>& tensors) {
    Table table;
    table.columns = {{"role", "Tensor", ColumnKind::text},
                     {"name", "Name", ColumnKind::name},
                     {"backend", "Backend", ColumnKind::backend},
                     {"type", "Type", ColumnKind::text},
                     {"shape", "Shape", ColumnKind::text},
                     {"min", "Min", ColumnKind::number},
                     {"max", "Max", ColumnKind::number},
                     {"mean", "Mean", ColumnKind::number},
                     {"deviation", "Deviation", ColumnKind::number},
                     {"nan", "NaN", ColumnKind::count},
                     {"infinite", "Infinite", ColumnKind::count},
                     {"state", "State", ColumnKind::text}};
    for (const SeenTensor& tensor : tensors) {
        const TensorStatistics& s = tensor.values.statistics;
        std::vector<Cell> row = {tensor.role, tensor.name, tensor.backend,
                                 std::string(name_of(tensor.tensor.type)), format_shape(tensor.tensor.ne)};
        if (s.finite() > 0) {
            for (const double value : {double{s.min}, double{s.max}, s.mean, s.deviation})
                row.emplace_back(value);
        } else {
            row.resize(row.size() + 4);
        }
        if (s.count > 0) {
            row.emplace_back(s.nan);
            row.emplace_back(s.infinite);
        } else {
            row.resize(row.size() + 2);
        }
        row.emplace_back(tensor.values.reused_by.empty() ? std::string(name_of(tensor.values.state))
                                                         : "reused by " + tensor.values.reused_by);
        table.add(std::move(row));
    }
    return table;
}

Table entries_table(std::string_view what, const std::vector<ProfileEntry>& entries,
                    std::chrono::nanoseconds whole, std::size_t rows, bool copies) {
    Table table;
    table.max_rows = rows;
    table.columns = {{"name", std::string(what), ColumnKind::name},
                     {"backend", copies ? "From" : "Backend", ColumnKind::backend},
                     {"count", "Count", ColumnKind::count},
                     {"time", "Time", ColumnKind::nanoseconds},
                     {"share", "Share", ColumnKind::share},
                     {"shortest", "Shortest", ColumnKind::nanoseconds}};
    if (copies) table.columns.push_back({"bytes", "Bytes", ColumnKind::bytes});
    for (const ProfileEntry& entry : entries) {
        const std::string name = entry.op.empty() ? entry.name : fmt::format("{} ({})", entry.name, entry.op);
        std::vector<Cell> row = {
            name,
            entry.backend,
            static_cast<std::int64_t>(entry.count),
            static_cast<std::int64_t>(entry.total.count()),
            whole.count() > 0 ? static_cast<double>(entry.total.count()) / static_cast<double>(whole.count())
                              : 0.0,
            static_cast<std::int64_t>(entry.shortest.count())};
        if (copies) row.emplace_back(static_cast<std::int64_t>(entry.bytes));
        table.add(std::move(row));
    }
    return table;
}

}  // namespace

std::string place_of(const AttachStop& stop) {
    const std::string text = fmt::format("graph {} ({})", stop.computation, stop.graph->title());
    if (!stop.tensor.valid()) return "before the first node of " + text;
    std::string split;
    if (stop.split.valid()) split = fmt::format(", split {}", stop.split.value);
    return fmt::format("{} on {}{}, {}, node {} of {}", node_of(*stop.graph, stop.tensor),
                       stop.graph->backend_name(stop.tensor), split, text, stop.position,
                       stop.graph->graph->nodes.size());
}

void print_stop(Console& console, const SeenStop& seen) {
    console.print(fmt::format("\nStop {}: {}\n{}", seen.stop->number, place_of(*seen.stop),
                              text_table(values_table(seen.tensors))));
    // Between the lines of the program, also in a pipe.
    console.flush();
}

void print_first_not_finite(Console& console, const SeenStop& seen) {
    const Graph& graph = *seen.stop->graph->graph;
    const TensorStatistics& result = seen.tensors.front().values.statistics;
    // Results of earlier nodes were found finite; their memory may hold others by now.
    std::string from = "the values of its operands were finite";
    for (std::size_t i = 1; i < seen.tensors.size(); ++i) {
        const SeenTensor& operand = seen.tensors[i];
        if (!brings_not_finite(operand, graph)) continue;
        from = fmt::format("its {}, {}, already has {}", operand.role, operand.name,
                           describe_not_finite(operand.values.statistics));
        break;
    }
    console.print(fmt::format("\n{} is the first node with a NaN or an infinity: {} of {} values; {}\n",
                              node_of(*seen.stop->graph, seen.stop->tensor), describe_not_finite(result),
                              result.count, from));
}

void print_profile(Console& console, const ShapeProfile& shape, std::size_t rows) {
    const std::string times = shape.computations == 1 ? "once" : fmt::format("{} times", shape.computations);
    console.print(fmt::format("\n{}: {}, {}, computed {} in {}\n", shape.graph->title(),
                              english(msg::kNodeCount(shape.graph->graph->nodes.size())),
                              english(msg::kSplitCount(shape.graph->captured->recorded.splits.size())), times,
                              format_duration(shape.total.count())));
    const auto table = [&](std::string_view what, const std::vector<ProfileEntry>& entries, bool copies) {
        if (entries.empty()) return;
        console.print("\n" + text_table(entries_table(what, entries, shape.total, rows, copies)));
    };
    table("Node", shape.nodes, false);
    table("Operation", shape.ops, false);
    table("Layer", shape.layers, false);
    table("Split", shape.splits, false);
    table("Copy", shape.copies, true);
}

void print_comparison(Console& console, const AttachComparison& comparison, std::size_t rows) {
    print_stray_writes(console, comparison.stray_writes, rows);
    std::string counts;
    for (const ComparedComputation& computation : comparison.graphs) {
        const auto exceeding =
            std::ranges::count_if(comparison.exceeding, [&](const AttachDifference& difference) {
                return difference.stop->computation == computation.number;
            });
        counts += fmt::format("graph {} ({}): {} compared, {} beyond their tolerance, {} left out{}\n",
                              computation.number, computation.graph->title(),
                              english(msg::kNodeCount(computation.compared)), exceeding, computation.left_out,
                              computation.complete ? "" : "; incomplete");
    }
    if (comparison.exceeding.empty()) {
        const std::string verdict = comparison.complete()
                                        ? "No difference in the results"
                                        : "No result, because the program ended before a graph was complete";
        console.print(fmt::format("\n{}:\n{}", verdict, counts));
        return;
    }
    const AttachDifference& first = comparison.exceeding.front();
    console.print(fmt::format("\nFirst difference: {}\n{}", place_of(*first.stop), counts));
    if (comparison.first) console.print("\n" + text_table(values_table(comparison.first->tensors)));
    Table table;
    table.max_rows = rows;
    table.columns = {
        {"graph", "Graph", ColumnKind::count},        {"node", "Node", ColumnKind::name},
        {"op", "Operation", ColumnKind::name},        {"backend", "Backend", ColumnKind::backend},
        {"shape", "Shape", ColumnKind::text},         {"nmse", "NMSE", ColumnKind::text},
        {"tolerance", "Tolerance", ColumnKind::text}, {"largest", "Largest", ColumnKind::text}};
    for (const AttachDifference& difference : comparison.exceeding) {
        const AttachedGraph& graph = *difference.stop->graph;
        const Tensor& node = (*graph.graph)[difference.result.tensor];
        table.add({static_cast<std::int64_t>(difference.stop->computation),
                   numbered_name(graph.identities->of(difference.result.tensor)),
                   std::string(name_of(node.op)), graph.backend_name(difference.result.tensor),
                   format_shape(node.ne), number_text(difference.result.nmse),
                   fmt::format("{:.1g}", difference.result.tolerance),
                   number_text(difference.result.largest)});
    }
    console.print("\n" + text_table(table));
}

void print_verification(Console& console, const std::vector<VerifiedGraph>& graphs) {
    const auto other =
        std::ranges::count_if(graphs, [](const VerifiedGraph& graph) { return !graph.verification.same(); });
    console.print(fmt::format("\n{} of {} graphs are scheduled as simulated for the program's devices\n",
                              graphs.size() - static_cast<std::size_t>(other), graphs.size()));
    for (const auto& [name, v] : graphs) {
        std::string text = fmt::format("{}: {}", name, english(msg::kTensors(v.tensors)));
        if (v.their_splits > 0) {
            text += fmt::format(", splits {} / {}, copies {} / {}", v.their_splits, v.our_splits,
                                v.their_copies, v.our_copies);
        }
        for (const ScheduleVerification::Size& size : v.sizes) {
            text +=
                fmt::format(", {} {} / {}", size.backend, format_bytes(size.theirs), format_bytes(size.ours));
        }
        console.print(text + (v.same() ? ": no difference\n" : fmt::format("\n  {}\n", english(v.first))));
    }
    console.print(
        "Program / simulation; sizes: the buffer that the scheduler holds / what the graph needs\n");
}

std::string describe_end(const AttachEnd& end) {
    if (end.program.signal != 0) {
        return fmt::format("killed by signal {} ({})", end.program.signal, ::strsignal(end.program.signal));
    }
    return fmt::format("ended with exit code {}", end.program.exit_code);
}

}  // namespace splitscope::cli
