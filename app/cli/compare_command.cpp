// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/number_range.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/formats/documents/comparison_json.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/summary.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

struct CompareOptions {
    SessionOptions session;
    std::vector<std::string> generations;
    BackendComparisonOptions backends;
    double tolerance = -1;
    bool json = false;
    bool times = false;
    std::size_t rows = 40;
};

/// "4.cur → GPU0", or a dash when there is no decision.
std::string decision_text(const Schedule& schedule, const std::optional<std::size_t>& index) {
    if (!index) return "–";
    const Decision& decision = schedule.decisions[*index];
    const std::string label = label_of(decision.cause);
    return fmt::format("{} → {}", label.empty() ? "(no cause)" : label, backend_name(schedule, decision.to));
}

Table difference_table(const Schedule& a, const Schedule& b, const ScheduleComparison& comparison,
                       std::size_t max_rows) {
    Table table;
    table.id = "differences";
    table.columns = {{"tensor", "Tensor", ColumnKind::name},
                     {"op", "Operation", ColumnKind::text},
                     {"pass", "Pass", ColumnKind::name},
                     {"a", std::string(name_of(a.generation)), ColumnKind::text},
                     {"b", std::string(name_of(b.generation)), ColumnKind::text},
                     {"final", "In the end", ColumnKind::text}};
    table.max_rows = max_rows;
    for (const TensorDifference& difference : comparison.tensors) {
        const Tensor& tensor = (*a.graph)[difference.tensor];
        const std::string end = comparison.gave_up() ? "–"
                                : difference.elsewhere
                                    ? fmt::format("{} / {}", backend_name(a, difference.backend_a),
                                                  backend_name(b, difference.backend_b))
                                    : fmt::format("both {}", backend_name(a, difference.backend_a));
        table.add({tensor.name, std::string(name_of(tensor.op)), std::string(name_of(difference.pass)),
                   decision_text(a, difference.decision_a), decision_text(b, difference.decision_b), end});
    }
    return table;
}

void print_readable(Console& console, const Analysis& a, const Analysis& b,
                    const ScheduleComparison& comparison, std::size_t rows) {
    const std::size_t max_rows = rows == 0 ? static_cast<std::size_t>(-1) : rows;
    console.print(text_table(difference_table(*a.schedule, *b.schedule, comparison, max_rows)));
    if (!comparison.tensors.empty()) console.print("\n");
    std::map<Pass, std::int64_t> by_pass;
    for (const TensorDifference& difference : comparison.tensors) ++by_pass[difference.pass];
    for (const auto& [pass, count] : by_pass) {
        console.print(
            fmt::format("first differs in pass {}: {}\n", name_of(pass), english(msg::kTensors(count))));
    }
    for (const Analysis* side : {&a, &b}) {
        if (side->schedule->error) {
            console.print(fmt::format("{} failed: {}\n", name_of(side->schedule->generation),
                                      english(side->schedule->error->message)));
        }
    }
    if (comparison.gave_up()) {
        console.print(fmt::format("not reached before that and not compared: {}\n",
                                  english(msg::kTensors(comparison.not_reached))));
        return;
    }
    console.print(fmt::format("end on another backend: {}\n", english(msg::kTensors(comparison.elsewhere))));
    console.print(fmt::format("splits: {} / {}{}\n", a.schedule->splits.size(), b.schedule->splits.size(),
                              comparison.first_split ? fmt::format(", the first that differs is split {}",
                                                                   comparison.first_split->value)
                                                     : ", the same"));
    console.print(fmt::format("copied per run: {} / {}\n", format_bytes(comparison.copied_bytes_a),
                              format_bytes(comparison.copied_bytes_b)));
    console.print(fmt::format("compute buffers: {} / {}\n", format_bytes(buffer_bytes(a)),
                              format_bytes(buffer_bytes(b))));
}

std::string shape_text(const Tensor& tensor) {
    return fmt::format("{}", fmt::join(tensor.ne, "×"));
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
    struct Row {
        const GraphComparison* graph;
        const NodeComparison* node;
    };
    std::vector<Row> rows;
    for (const GraphComparison& graph : comparison.graphs) {
        for (const NodeComparison& node : graph.nodes) {
            if (node.support && node.differing > 0) rows.push_back({&graph, &node});
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        if (a.node->exceeds() || b.node->exceeds()) return a.node->exceeds() && !b.node->exceeds();
        return a.node->nmse > b.node->nmse;
    });
    for (const Row& row : rows) {
        const Tensor& tensor = (*row.graph->graph)[row.node->tensor];
        table.add({english(row.graph->title), tensor.name, std::string(name_of(tensor.op)),
                   std::string(name_of(tensor.type)), shape_text(tensor),
                   fmt::format("{:.3g}", row.node->nmse), fmt::format("{:.1g}", row.node->tolerance),
                   fmt::format("{:.3g} at {}", row.node->largest, row.node->largest_at)});
    }
    return table;
}

double milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

/// Times of both sides per operation, longest first.
Table time_table(const BackendComparison& comparison) {
    struct Times {
        std::int64_t nodes = 0;
        std::chrono::nanoseconds tested{};
        std::chrono::nanoseconds reference{};
    };
    Table table;
    table.id = "times";
    table.columns = {{"graph", "Graph", ColumnKind::text},
                     {"op", "Operation", ColumnKind::text},
                     {"nodes", "Nodes", ColumnKind::number},
                     {"tested", comparison.tested + " ms", ColumnKind::text},
                     {"reference", comparison.reference + " ms", ColumnKind::text}};
    for (const GraphComparison& graph : comparison.graphs) {
        std::map<std::string_view, Times> by_op;
        for (const NodeComparison& node : graph.nodes) {
            if (!node.support || node.reference_time.count() == 0) continue;
            Times& times = by_op[name_of((*graph.graph)[node.tensor].op)];
            ++times.nodes;
            times.tested += node.tested_time;
            times.reference += node.reference_time;
        }
        std::vector<std::pair<std::string_view, Times>> rows(by_op.begin(), by_op.end());
        std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.second.tested; });
        for (const auto& [op, times] : rows) {
            table.add({english(graph.title), std::string(op), times.nodes,
                       fmt::format("{:.3f}", milliseconds(times.tested)),
                       fmt::format("{:.3f}", milliseconds(times.reference))});
        }
    }
    return table;
}

void print_nodes(Console& console, const BackendComparison& comparison, std::size_t rows) {
    const Table table = node_table(comparison, rows == 0 ? static_cast<std::size_t>(-1) : rows);
    if (!table.rows.empty()) console.print(text_table(table) + "\n");
    console.print(fmt::format("{} against {}: {} compared, {} exceed their tolerance\n", comparison.tested,
                              comparison.reference, english(msg::kNodeCount(comparison.compared)),
                              comparison.exceeding));
    if (comparison.refused > 0)
        console.print(fmt::format("not supported by {}: {}\n", comparison.tested,
                                  english(msg::kNodeCount(comparison.refused))));
    if (!comparison.first_exceeding) return;
    const GraphComparison& graph = comparison.graphs[comparison.first_exceeding->graph];
    const NodeComparison& node = graph.nodes[comparison.first_exceeding->node];
    const Tensor& tensor = (*graph.graph)[node.tensor];
    console.print(fmt::format("the first is {} ({}) of the {}: NMSE {:.3g}, tolerance {:.1g}\n", tensor.name,
                              name_of(tensor.op), english(graph.title), node.nmse, node.tolerance));
}

/// The first node with a different result, or refused by one side.
void print_first_difference(Console& console, const BackendComparison& comparison) {
    for (const GraphComparison& graph : comparison.graphs) {
        for (const NodeComparison& node : graph.nodes) {
            const Tensor& tensor = (*graph.graph)[node.tensor];
            if (!node.support) {
                console.print(fmt::format("the first supported only by {} is {} ({}) of the {}\n",
                                          comparison.reference, tensor.name, name_of(tensor.op),
                                          english(graph.title)));
                return;
            }
            if (node.differing == 0) continue;
            console.print(fmt::format(
                "the first that differs is {} ({}) of the {}: NMSE {:.3g}, within {:.1g}\n", tensor.name,
                name_of(tensor.op), english(graph.title), node.nmse, node.tolerance));
            return;
        }
    }
    console.print("all results are equal\n");
}

void print_builds(Console& console, const std::vector<ComparedBuilds>& all, std::size_t rows) {
    for (const auto& [device, comparison] : all) {
        console.print(device + "\n\n");
        print_nodes(console, comparison, rows);
        if (comparison.same()) print_first_difference(console, comparison);
        console.print("\n" + text_table(time_table(comparison)) + "\n");
    }
}

/// The devices of two builds by name: the reference, then the tested build.
struct BuildOfDevice {
    std::string name;
    std::string reference;  ///< the builds
    std::string tested;
};

std::vector<BuildOfDevice> devices_of_both(const SessionOptions& options, const KindOptions& reference) {
    std::vector<BuildOfDevice> both;
    for (const auto& kind : options.kinds()->kinds()) {
        std::string value;
        std::string other;
        for (const KindOption& option : kind->options()) {
            if (!options.reference_options.contains(option.name)) continue;
            value = options.kind_options.at(option.name);
            other = options.reference_options.at(option.name);
        }
        if (value.empty()) continue;
        const KindListing old = kind->list(reference);
        for (const ListedDevice& device : kind->list(options.kind_options).devices) {
            const auto same = std::ranges::find(old.devices, device.name, &ListedDevice::name);
            if (!device.usable() || same == old.devices.end() || !same->usable()) continue;
            const bool told = device.driver != same->driver;
            both.push_back({device.name, told ? same->driver : other, told ? device.driver : value});
        }
    }
    return both;
}

int run_compare_builds(Console& console, const CompareOptions& options,
                       const BackendComparisonOptions& given) {
    const JobContext job = console.job();
    BackendComparisonOptions backends = given;
    backends.reference_options = options.session.kind_options;
    for (const auto& [name, value] : options.session.reference_options)
        backends.reference_options[name] = value;
    const auto devices = devices_of_both(options.session, backends.reference_options);
    SessionOptions of_model = options.session;
    of_model.backends.clear();
    const Session session = of_model.make_session(job);
    std::vector<ComparedBuilds> all;
    for (const BuildOfDevice& device : devices) {
        const auto& wanted = options.session.backends;
        const bool chosen = wanted.empty() || std::ranges::any_of(wanted, [&](const std::string& name) {
                                return same_name(name, device.name);
                            });
        if (!chosen) continue;
        ComparedBuilds compared{device.name,
                                compare_backends(session, device.name, device.name, backends, {}, job)};
        compared.comparison.tested = device.tested;
        compared.comparison.reference = device.reference;
        all.push_back(std::move(compared));
    }
    if (all.empty())
        throw Error(ErrorKind::unknown, msg::kNoDeviceOfBoth, msg::kPlaceCompare, msg::kSeeDevices);
    if (options.json) {
        console.write(write_comparison_json(all));
    } else {
        print_builds(console, all, options.rows);
    }
    const bool same = std::ranges::all_of(all, [](const auto& each) { return each.comparison.same(); });
    return same ? kOk : kDifferent;
}

BackendComparisonOptions comparison_options(Console& console, const CompareOptions& options) {
    BackendComparisonOptions backends = options.backends;
    backends.kind_options = options.session.kind_options;
    backends.on_message = [&console](const BackendMessage& message) {
        console.note(fmt::format("{}: {}", english(message.source), message.text));
    };
    if (options.tolerance >= 0) backends.nodes.tolerance = options.tolerance;
    return backends;
}

int run_compare_backends(Console& console, const CompareOptions& options) {
    const JobContext job = console.job();
    const BackendComparisonOptions backends = comparison_options(console, options);
    const Session session = options.session.make_session(job);
    const auto& names = options.session.backends;
    const BackendComparison comparison = compare_backends(session, names[0], names[1], backends, {}, job);
    if (options.json)
        console.write(write_comparison_json(comparison));
    else
        print_nodes(console, comparison, options.rows);
    if (options.times && !options.json) console.print("\n" + text_table(time_table(comparison)));
    return comparison.same() ? kOk : kDifferent;
}

int run_compare(Console& console, CompareOptions options) {
    if (!options.session.reference_options.empty())
        return run_compare_builds(console, options, comparison_options(console, options));
    if (options.generations.empty() && options.session.backends.size() == 2)
        return run_compare_backends(console, options);
    // With --graph the positional arguments are both generations: `compare --graph G 2024-10 2026-08`.
    if (!options.session.graph.empty() && !options.session.file.empty()) {
        options.generations.insert(options.generations.begin(), options.session.file);
        options.session.file.clear();
    }
    if (options.generations.size() != 2) {
        throw Error(ErrorKind::usage, msg::kTwoGenerationsNeeded(options.generations.size()),
                    msg::kPlaceCompare, msg::kNameTwoGenerations);
    }
    std::array<Generation, 2> generations{};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto generation = generation_named(options.generations[i]);
        if (!generation) {
            throw Error(ErrorKind::usage, msg::kNoSuchGeneration(options.generations[i]), msg::kPlaceCompare,
                        msg::kNameTwoGenerations);
        }
        generations[i] = *generation;
    }
    const JobContext job = console.job();
    const ComparedGenerations compared =
        compare_generations(options.session.make_session(job), generations[0], generations[1], job);
    if (options.json) {
        console.write(write_comparison_json(*compared.a, *compared.b, compared.comparison));
    } else {
        print_readable(console, *compared.a, *compared.b, compared.comparison, options.rows);
    }
    return compared.comparison.same() ? kOk : kDifferent;
}

}  // namespace

void add_compare(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App& command =
        *program.add_subcommand("compare",
                                "Compare the decisions of two generations of the scheduler, or the results "
                                "of two backends or of two builds of an engine");
    options->session.add_to(command, context.kinds, false, true);
    command.add_option("generations", options->generations, "Two of 2024-01, 2024-10, 2025-06, 2026-08")
        ->type_name("A B")
        ->expected(0, 2);
    BackendComparisonOptions& backends = options->backends;
    command.add_option("--prompt,-p", backends.prompt, "Backends: text to compute; without it, a few tokens")
        ->type_name("TEXT");
    command
        .add_option("--tolerance", options->tolerance,
                    "Backends: tolerated NMSE of every node, instead of one for each operation")
        ->check(number_range(0.0, 1e9))
        ->type_name("X");
    command.add_flag("--accumulate", backends.nodes.accumulate,
                     "Backends: let each continue with its own results, so that errors accumulate");
    command.add_flag("--first", backends.first_only,
                     "Backends: stop at the first node that exceeds its tolerance");
    add_threads_option(command, backends.threads, "Backends: threads of the CPU; 0 = all cores");
    command.add_flag("--times", options->times, "Backends: show the time of each operation");
    command.add_flag("--json", options->json, "One JSON object");
    command.add_option("--rows", options->rows, "Tensors listed; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    const std::string in_host_memory = example_host_devices(*context.kinds);
    command.footer(
        "The exit code is 1 when there is a difference.\n\nExamples:\n"
        "  splitscope compare model.gguf 2024-10 2026-08\n"
        "  splitscope compare --graph g.graph.json --machine m.machine.json 2024-01 2024-10\n"
        "  splitscope compare --backends " +
        example_devices(*context.kinds) + " model.gguf" +
        "\n  splitscope compare --engine ~/llama.cpp-old/build/bin --engine ~/llama.cpp/build/bin "
        "model.gguf" +
        (in_host_memory.empty() ? std::string()
                                : "\n  splitscope compare --backends " + in_host_memory + " model.gguf"));
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_compare(console, *options); });
    });
}

}  // namespace splitscope::cli
