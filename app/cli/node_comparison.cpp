// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/node_comparison.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/cli/messages.hpp"
#include "engine/execution/execution_profile.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/messages.hpp"
#include "engine/tensor/shape.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope::cli {
namespace {

std::string nmse_text(double nmse) {
    return std::isnan(nmse) ? "not a number" : fmt::format("{:.3g}", nmse);
}

std::string exact_text(const NodeComparison& node) {
    return node.exact ? nmse_text(node.exact->tested) : "";
}

std::string ops_of(const Graph& graph, const NodeComparison& node) {
    if (node.fused.empty()) return std::string(name_of(graph[node.tensor].op));
    return joined_ops(GraphView(graph), node.fused);
}

std::string name_in(const GraphComparison& graph, TensorId node) {
    return numbered_name(TensorIdentities(graph.graph).of(node));
}

/// Nodes beyond their tolerance first, then the worst of the others.
Table node_table(const BackendComparison& comparison, std::size_t max_rows) {
    Table table;
    table.id = "nodes";
    table.columns = {{"graph", "Graph", ColumnKind::text},         {"tensor", "Tensor", ColumnKind::name},
                     {"op", "Operation", ColumnKind::text},        {"type", "Type", ColumnKind::text},
                     {"shape", "Shape", ColumnKind::text},         {"nmse", "NMSE", ColumnKind::text},
                     {"tolerance", "Tolerance", ColumnKind::text}, {"largest", "Largest", ColumnKind::text}};
    table.max_rows = max_rows;
    bool has_exact = false;
    struct Row {
        const GraphComparison* graph;
        const NodeComparison* node;
        std::string name;
    };
    std::vector<Row> rows;
    for (const GraphComparison& graph : comparison.graphs) {
        const TensorIdentities identities(graph.graph);
        for (const NodeComparison& node : graph.nodes) {
            if (!node.support || node.differing == 0) continue;
            rows.push_back({&graph, &node, numbered_name(identities.of(node.tensor))});
            has_exact = has_exact || node.exact;
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        if (a.node->exceeds() || b.node->exceeds()) return a.node->exceeds() && !b.node->exceeds();
        return a.node->nmse > b.node->nmse;
    });
    if (has_exact) table.columns.push_back({"exact", "Exact NMSE", ColumnKind::text});
    for (const Row& row : rows) {
        const Tensor& tensor = (*row.graph->graph)[row.node->tensor];
        std::vector<Cell> cells{english(row.graph->title),
                                row.name,
                                ops_of(*row.graph->graph, *row.node),
                                std::string(name_of(tensor.type)),
                                format_shape(tensor.ne),
                                nmse_text(row.node->nmse),
                                row.node->judged ? fmt::format("{:.1g}", row.node->tolerance) : "",
                                fmt::format("{:.3g} at {}", row.node->largest, row.node->largest_at)};
        if (has_exact) cells.emplace_back(exact_text(*row.node));
        table.add(std::move(cells));
    }
    return table;
}

double milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// Sums of nodes that both sides computed.
struct Times {
    std::int64_t nodes = 0;
    std::chrono::nanoseconds tested{};
    std::chrono::nanoseconds reference{};

    void add(const NodeComparison& node) {
        ++nodes;
        tested += node.tested_time;
        reference += node.reference_time;
    }
    std::string ratio() const {
        return reference.count() == 0 ? std::string("–")
                                      : fmt::format("{:.2f}", milliseconds(tested) / milliseconds(reference));
    }
};

bool is_timed(const NodeComparison& node) {
    return node.support && node.reference_time.count() > 0;
}

Times total_times(const BackendComparison& comparison) {
    Times total;
    for (const GraphComparison& graph : comparison.graphs)
        for (const NodeComparison& node : graph.nodes)
            if (is_timed(node)) total.add(node);
    return total;
}

/// Times of both sides per operation, longest first.
Table time_table(const BackendComparison& comparison) {
    Table table;
    table.id = "times";
    table.columns = {{"graph", "Graph", ColumnKind::text},
                     {"op", "Operation", ColumnKind::text},
                     {"nodes", "Nodes", ColumnKind::number},
                     {"reference", comparison.reference + " ms", ColumnKind::text},
                     {"tested", comparison.tested + " ms", ColumnKind::text},
                     {"ratio", "Ratio", ColumnKind::text}};
    const auto add = [&table](const std::string& title, std::string_view name, const Times& times) {
        table.add({title, std::string(name), times.nodes,
                   fmt::format("{:.3f}", milliseconds(times.reference)),
                   fmt::format("{:.3f}", milliseconds(times.tested)), times.ratio()});
    };
    for (const GraphComparison& graph : comparison.graphs) {
        std::map<std::string_view, Times> by_op;
        Times total;
        for (const NodeComparison& node : graph.nodes) {
            if (!is_timed(node)) continue;
            by_op[name_of((*graph.graph)[node.tensor].op)].add(node);
            total.add(node);
        }
        std::vector<std::pair<std::string_view, Times>> rows(by_op.begin(), by_op.end());
        std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.tested; });
        for (const auto& [op, times] : rows) add(english(graph.title), op, times);
        if (rows.size() > 1) add(english(graph.title), "all", total);
    }
    return table;
}

/// The accumulated error of the last node: logits or embeddings.
void print_end(Console& console, const GraphComparison& graph) {
    const auto last = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(),
                                   [](const NodeComparison& node) { return node.fused.empty(); });
    if (last == graph.nodes.rend() || !last->support) return;
    console.print(fmt::format("the {} ends with {}: NMSE {}\n", english(graph.title),
                              name_in(graph, last->tensor), nmse_text(last->nmse)));
}

/// NaN on both sides is no difference, but seldom what was wanted.
void print_both_nan(Console& console, const BackendComparison& comparison) {
    for (const GraphComparison& graph : comparison.graphs) {
        const auto first = std::ranges::find_if(
            graph.nodes, [](const NodeComparison& node) { return node.both_nan > 0 && node.fused.empty(); });
        if (first == graph.nodes.end()) continue;
        console.print(
            fmt::format("NaN on both sides in {}, which counts as equal; the first is {} ({}) of the {}\n",
                        english(msg::kNodeCount(comparison.both_nan)), name_in(graph, first->tensor),
                        ops_of(*graph.graph, *first), english(graph.title)));
        return;
    }
}

/// "ROPE 10, SOFT_MAX 5".
std::string refused_ops(const BackendComparison& comparison) {
    std::map<std::string_view, std::size_t> counts;
    for (const GraphComparison& graph : comparison.graphs)
        for (const NodeComparison& node : graph.nodes)
            if (!node.support) ++counts[name_of((*graph.graph)[node.tensor].op)];
    std::string text;
    for (const auto& [op, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", op, count);
    return text;
}

void print_verdict(Console& console, const BackendComparison& comparison) {
    console.print(fmt::format(
        "{} against {}: {}\n", comparison.tested, comparison.reference,
        english(msg::kExceedingNodes(msg::kNodeCount(comparison.compared), comparison.exceeding))));
    if (comparison.reference_rounds > 0)
        console.print(fmt::format(
            "{} not counted: beyond tolerance only because {} rounds activations; {} agrees with the exact "
            "product\n",
            english(msg::kNodeCount(comparison.reference_rounds)), comparison.reference, comparison.tested));
    if (comparison.not_judged > 0) {
        console.print(fmt::format(
            "{} not checked by their accumulated errors, because their operands already differ; from equal "
            "operands, they are within their tolerance\n",
            english(msg::kNodeCount(comparison.not_judged))));
        for (const GraphComparison& graph : comparison.graphs) print_end(console, graph);
    }
    print_both_nan(console, comparison);
    if (comparison.refused > 0)
        console.print(fmt::format("not supported by {}: {} ({})\n", comparison.tested,
                                  english(msg::kNodeCount(comparison.refused)), refused_ops(comparison)));
    if (comparison.fused > 0) {
        console.print(english(msg::kExceedingKernels(msg::kFusedKernelCount(comparison.fused),
                                                     comparison.fused_exceeding)) +
                      "\n");
    }
    if (comparison.fused_omitted > 0) {
        console.print(fmt::format("{} not compared: later nodes overwrite their results\n",
                                  english(msg::kFusedKernelCount(comparison.fused_omitted))));
    }
    if (!comparison.first_exceeding) return;
    const GraphComparison& graph = comparison.graphs[comparison.first_exceeding->graph];
    const NodeComparison& node = graph.nodes[comparison.first_exceeding->node];
    const std::string why =
        node.wrong_element ? fmt::format("element {} is {:.6g} instead of {:.6g}", node.wrong_element->at,
                                         node.wrong_element->tested, node.wrong_element->exact)
                           : fmt::format("NMSE {}{}, tolerance {:.1g}", nmse_text(node.own_error()),
                                         node.own_nmse ? " from equal operands" : "", node.tolerance);
    console.print(fmt::format("the first is {} ({}) of the {}: {}\n", name_in(graph, node.tensor),
                              ops_of(*graph.graph, node), english(graph.title), why));
}

/// The first node with a different result, or refused by one side.
void print_first_difference(Console& console, const BackendComparison& comparison) {
    for (const GraphComparison& graph : comparison.graphs) {
        for (const NodeComparison& node : graph.nodes) {
            const Tensor& tensor = (*graph.graph)[node.tensor];
            if (!node.support && node.reference_supports) {
                console.print(fmt::format("the first supported only by {} is {} ({}) of the {}\n",
                                          comparison.reference, name_in(graph, node.tensor),
                                          name_of(tensor.op), english(graph.title)));
                return;
            }
            if (!node.support || node.differing == 0) continue;
            const std::string verdict = !node.judged ? "not checked"
                                        : node.reference_rounds()
                                            ? "explained by rounded activations"
                                            : fmt::format("within {:.1g}", node.tolerance);
            console.print(fmt::format("the first that differs is {} ({}) of the {}: NMSE {}, {}\n",
                                      name_in(graph, node.tensor), ops_of(*graph.graph, node),
                                      english(graph.title), nmse_text(node.nmse), verdict));
            return;
        }
    }
    console.print("all results are equal\n");
}

void print_differing(Console& console, const BackendComparison& comparison, std::size_t rows) {
    const Table table = node_table(comparison, rows == 0 ? static_cast<std::size_t>(-1) : rows);
    if (!table.rows.empty()) console.print("\n" + text_table(table));
}

std::size_t differing(const BackendComparison& comparison) {
    std::size_t count = 0;
    for (const GraphComparison& graph : comparison.graphs)
        count += static_cast<std::size_t>(std::ranges::count_if(graph.nodes, [](const NodeComparison& node) {
            return node.support && node.fused.empty() && node.differing > 0;
        }));
    return count;
}

/// One line.
std::string verdict(const BackendComparison& comparison) {
    const std::string compared = english(msg::kNodeCount(comparison.compared));
    std::string text =
        comparison.exceeding > 0
            ? english(msg::kDifferentNodes(comparison.exceeding, msg::kNodeCount(comparison.compared)))
        : differing(comparison) > 0
            ? fmt::format("within tolerance, {} of {} not equal", differing(comparison), compared)
            : fmt::format("equal, {} compared", compared);
    if (comparison.reference_rounds > 0)
        text += fmt::format(", {} explained by rounded activations", comparison.reference_rounds);
    if (comparison.not_judged > 0) text += fmt::format(", {} not checked", comparison.not_judged);
    if (comparison.both_nan > 0) text += fmt::format(", {} with NaN on both sides", comparison.both_nan);
    if (comparison.lost > 0 && comparison.exceeding == 0) {
        text = fmt::format("DIFFERENT, {} no longer supported; the others: {}",
                           english(msg::kNodeCount(comparison.lost)), text);
    } else if (comparison.lost > 0) {
        text += fmt::format(", {} no longer supported", comparison.lost);
    }
    if (comparison.gained > 0) text += fmt::format(", {} newly supported", comparison.gained);
    const Times total = total_times(comparison);
    if (total.reference.count() > 0) text += fmt::format(", {} times as long", total.ratio());
    return text;
}

}  // namespace

void print_nodes(Console& console, const BackendComparison& comparison, bool times, std::size_t rows) {
    print_verdict(console, comparison);
    print_differing(console, comparison, rows);
    if (times) console.print("\n" + text_table(time_table(comparison)));
}

void print_builds(Console& console, const std::vector<ComparedBuilds>& all,
                  const std::vector<MissingDevice>& missing, bool one_thread, std::size_t rows) {
    for (const auto& [device, comparison] : all)
        console.print(fmt::format("{}: {}\n", device, verdict(comparison)));
    for (const MissingDevice& device : missing)
        console.print(fmt::format("{}: {}, only in {}\n", device.name,
                                  device.is_tested ? "not compared" : "LOST", device.build));
    const bool has_cpu =
        std::ranges::any_of(all, [](const auto& each) { return each.device.ends_with(":CPU"); });
    if (has_cpu && !one_thread)
        console.print(
            "On the CPU, the time of a node includes starting its threads; --threads 1 avoids that.\n");
    for (const auto& [device, comparison] : all) {
        console.print("\n" + device + "\n\n");
        print_verdict(console, comparison);
        if (comparison.same()) print_first_difference(console, comparison);
        console.print("\n" + text_table(time_table(comparison)));
        print_differing(console, comparison, rows);
    }
}

}  // namespace splitscope::cli
