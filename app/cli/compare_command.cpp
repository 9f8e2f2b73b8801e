// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/node_comparison.hpp"
#include "app/cli/number_range.hpp"
#include "app/cli/prompt_tokens_option.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/formats/documents/comparison_json.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/decision_evidence.hpp"
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
    bool only_moved = false;  ///< generations: list only tensors that end on another backend
    std::size_t rows = 40;
};

/// "4.cur → GPU0", or a dash when there is no decision.
std::string decision_text(const Schedule& schedule, const std::optional<std::size_t>& index) {
    if (!index) return "–";
    const Decision& decision = schedule.decisions[*index];
    const std::string label = label_of(decision.cause);
    return fmt::format("{} → {}", label.empty() ? "(no cause)" : label, backend_name(schedule, decision.to));
}

/// The evidence of both decisions; once if it is the same.
std::string evidence_text(const Analysis& a, const Analysis& b, const TensorDifference& difference) {
    const auto of = [](const Analysis& side, const std::optional<std::size_t>& index) {
        return index ? english(evidence_of(side, side.schedule->decisions[*index])) : std::string();
    };
    const std::string of_a = of(a, difference.decision_a);
    const std::string of_b = of(b, difference.decision_b);
    if (of_a == of_b) return of_a;
    return fmt::format("{} / {}", of_a.empty() ? "–" : of_a, of_b.empty() ? "–" : of_b);
}

/// The graph that both generations schedule. That of a model has the form of the older one.
std::string graph_text(const Analysis& a, const Analysis& b) {
    const Session& session = a.session;
    if (!session.file->model) return "graph: " + a.graph->name;
    const Generation older = std::min(a.schedule->generation, b.schedule->generation);
    const bool decode = session.model_options.kind == GraphKind::decode;
    return fmt::format(
               "graph: {}, as {} builds it",
               decode ? "one token" : fmt::format("a prompt of {} tokens", session.model_options.batch),
               name_of(older)) +
           (a.layout ? "\nswitches: " + command_line_of(a.layout->flags) : std::string());
}

Table difference_table(const Analysis& analysis_a, const Analysis& analysis_b,
                       const ScheduleComparison& comparison, std::size_t max_rows) {
    const Schedule& a = *analysis_a.schedule;
    const Schedule& b = *analysis_b.schedule;
    Table table;
    table.id = "differences";
    table.columns = {{"tensor", "Tensor", ColumnKind::name},
                     {"op", "Operation", ColumnKind::text},
                     {"pass", "Pass", ColumnKind::name},
                     {"a", std::string(name_of(a.generation)), ColumnKind::text},
                     {"b", std::string(name_of(b.generation)), ColumnKind::text},
                     {"final", "Final", ColumnKind::text},
                     {"evidence", "Evidence", ColumnKind::text}};
    table.max_rows = max_rows;
    for (const TensorDifference& difference : comparison.tensors) {
        const Tensor& tensor = (*a.graph)[difference.tensor];
        const std::string end = comparison.gave_up() ? "–"
                                : difference.elsewhere
                                    ? fmt::format("{} / {}", backend_name(a, difference.backend_a),
                                                  backend_name(b, difference.backend_b))
                                    : fmt::format("both {}", backend_name(a, difference.backend_a));
        table.add({unambiguous_name(analysis_a, difference.tensor), std::string(name_of(tensor.op)),
                   std::string(name_of(difference.pass)), decision_text(a, difference.decision_a),
                   decision_text(b, difference.decision_b), end,
                   evidence_text(analysis_a, analysis_b, difference)});
    }
    return table;
}

/// With the tensors to list only.
ScheduleComparison listed(ScheduleComparison comparison, bool only_moved) {
    if (only_moved)
        std::erase_if(comparison.tensors,
                      [](const TensorDifference& difference) { return !difference.elsewhere; });
    return comparison;
}

void print_readable(Console& console, const Analysis& a, const Analysis& b,
                    const ScheduleComparison& comparison, const CompareOptions& options) {
    const std::size_t max_rows = options.rows == 0 ? static_cast<std::size_t>(-1) : options.rows;
    const std::string differences =
        text_table(difference_table(a, b, listed(comparison, options.only_moved), max_rows));
    console.print(graph_text(a, b) + "\n");
    if (!differences.empty()) console.print("\n" + differences + "\n");
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

/// The devices of two builds by name: the reference, then the tested build.
struct BuildOfDevice {
    std::string name;
    std::string reference;  ///< the builds
    std::string tested;
};

/// The devices of two builds.
struct BuiltDevices {
    std::vector<BuildOfDevice> both;
    std::vector<MissingDevice> missing;
};

BuiltDevices devices_of_builds(const SessionOptions& options, const KindOptions& reference) {
    BuiltDevices devices;
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
        const KindListing now = kind->list(options.kind_options);
        const auto find = [](const KindListing& listing, const std::string& name) {
            const auto found = std::ranges::find_if(listing.devices, [&](const ListedDevice& device) {
                return device.usable() && device.name == name;
            });
            return found == listing.devices.end() ? nullptr : &*found;
        };
        for (const ListedDevice& device : now.devices) {
            if (!device.usable()) continue;
            const ListedDevice* const same = find(old, device.name);
            if (same == nullptr) {
                devices.missing.push_back({device.name, value, true});
                continue;
            }
            const bool told = device.driver != same->driver;
            devices.both.push_back({device.name, told ? same->driver : other, told ? device.driver : value});
        }
        for (const ListedDevice& device : old.devices)
            if (device.usable() && find(now, device.name) == nullptr)
                devices.missing.push_back({device.name, other, false});
    }
    return devices;
}

bool is_wanted(const SessionOptions& options, const std::string& device) {
    return options.backends.empty() || std::ranges::any_of(options.backends, [&](const std::string& name) {
               return same_name(name, device);
           });
}

int run_compare_builds(Console& console, const CompareOptions& options,
                       const BackendComparisonOptions& given) {
    const JobContext job = console.job();
    BackendComparisonOptions backends = given;
    backends.reference_options = options.session.kind_options;
    for (const auto& [name, value] : options.session.reference_options)
        backends.reference_options[name] = value;
    backends.nodes.repeats = true;
    BuiltDevices devices = devices_of_builds(options.session, backends.reference_options);
    std::erase_if(devices.missing,
                  [&](const MissingDevice& device) { return !is_wanted(options.session, device.name); });
    for (const std::string& name : options.session.backends) {
        const auto is_named = [&](const auto& device) { return same_name(name, device.name); };
        const bool lost = std::ranges::any_of(devices.missing, [&](const MissingDevice& device) {
            return is_named(device) && !device.is_tested;
        });
        if (!lost && std::ranges::none_of(devices.both, is_named))
            throw Error(ErrorKind::unknown, msg::kNoDeviceOfBoth, name, msg::kSeeDevices);
    }
    SessionOptions of_model = options.session;
    of_model.backends.clear();
    of_model.kind_options.clear();
    const Session session = of_model.make_session(job);
    std::vector<ComparedBuilds> all;
    for (const BuildOfDevice& device : devices.both) {
        if (!is_wanted(options.session, device.name)) continue;
        ComparedBuilds compared{device.name,
                                compare_backends(session, device.name, device.name, backends, {}, job)};
        compared.comparison.tested = device.tested;
        compared.comparison.reference = device.reference;
        all.push_back(std::move(compared));
    }
    if (all.empty() && std::ranges::all_of(devices.missing, &MissingDevice::is_tested))
        throw Error(ErrorKind::unknown, msg::kNoDeviceOfBoth, msg::kPlaceCompare, msg::kSeeDevices);
    if (options.json) {
        console.write(write_comparison_json(all, devices.missing));
    } else {
        print_builds(console, all, devices.missing, backends.threads == 1, options.rows);
    }
    return same(all, devices.missing) ? kOk : kDifferent;
}

BackendComparisonOptions comparison_options(Console& console, const CompareOptions& options) {
    BackendComparisonOptions backends = options.backends;
    backends.kind_options = options.session.kind_options;
    backends.on_message = [&console](const BackendMessage& message) {
        console.note(fmt::format("{}: {}", english(message.source), message.text));
    };
    backends.nodes.repeats = options.times;
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
        print_nodes(console, comparison, options.times, options.rows);
    return comparison.same() ? kOk : kDifferent;
}

int run_compare(Console& console, CompareOptions options) {
    SessionOptions& session = options.session;
    const bool two_builds = !session.reference_options.empty();
    if (two_builds && !options.generations.empty())
        throw Error(ErrorKind::usage, msg::kBuildsAndGenerations, msg::kPlaceCompare, msg::kCompareOneKind);
    if (two_builds && !session.machine.empty())
        throw Error(ErrorKind::usage, msg::kBuildsAndMachine, "--machine", msg::kNameDevicesOfBuilds);
    if (two_builds) return run_compare_builds(console, options, comparison_options(console, options));
    const std::size_t devices = session.backends.size();
    if (options.generations.empty() && devices == 2) return run_compare_backends(console, options);
    // With --graph the positional arguments are both generations: `compare --graph G 2024-10 2026-08`.
    if (!session.graph.empty() && !session.file.empty()) {
        options.generations.insert(options.generations.begin(), session.file);
        session.file.clear();
    }
    if (options.generations.empty() && devices > 0) {
        throw Error(ErrorKind::usage, msg::kTwoDevicesNeeded(devices), msg::kPlaceCompare,
                    msg::kNameTwoDevices);
    }
    if (options.generations.empty() && selects_devices(*session.kinds(), session.kind_options))
        throw Error(ErrorKind::usage, msg::kOneBuild, msg::kPlaceCompare, msg::kNameTwoBuilds);
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
    // Missing switches have the defaults of the first, as in 'report --generation A --compare B'.
    SessionOptions of_first = options.session;
    of_first.generation = options.generations[0];
    const ComparedGenerations compared =
        compare_generations(of_first.make_session(job), generations[0], generations[1], job);
    if (options.json) {
        console.write(write_comparison_json(*compared.a, *compared.b, compared.comparison,
                                            listed(compared.comparison, options.only_moved).tensors));
    } else {
        print_readable(console, *compared.a, *compared.b, compared.comparison, options);
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
    auto* prompt =
        command
            .add_option("--prompt,-p", backends.prompt, "Backends: text to compute; without it, a few tokens")
            ->type_name("TEXT");
    add_prompt_tokens(command, backends.prompt_tokens,
                      "Backends: token ids to compute, instead of text: 1,2,3")
        .excludes(prompt);
    command
        .add_option("--tolerance", options->tolerance,
                    "Backends: NMSE tolerance of every node, instead of one per operation")
        ->check(number_range(0.0, 1e9))
        ->type_name("X");
    command.add_flag("--accumulate", backends.nodes.accumulate,
                     "Backends: let each continue with its own results, so that errors accumulate; nodes "
                     "whose operands already differ are checked from equal operands, or with --tolerance");
    command.add_flag("--first", backends.first_only,
                     "Backends: stop at the first node that exceeds its tolerance");
    add_threads_option(command, backends.threads, "Backends: threads of the CPU; 0 = all cores");
    command.add_flag("--times", options->times, "Backends: show the time of each operation");
    command.add_flag("--only-moved", options->only_moved,
                     "Generations: list only tensors that end on another backend");
    command.add_flag("--json", options->json, "Print one JSON object");
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
