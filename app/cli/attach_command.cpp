// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/attach_report.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "backends/interface/machine_of_devices.hpp"
#include "backends/interface/registry.hpp"
#include "engine/attach/attached_program.hpp"
#include "engine/attach/compare_program.hpp"
#include "engine/attach/messages.hpp"
#include "engine/attach/program_profile.hpp"
#include "engine/attach/program_timeline.hpp"
#include "engine/execution/messages.hpp"
#include "engine/formats/documents/attach_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/npy.hpp"
#include "engine/session/live_backends.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/verify_schedule.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/nearest_name.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope::cli {
namespace {

struct AttachCommandOptions {
    std::vector<std::string> breaks;
    std::vector<std::string> dumps;  ///< CONDITION=FILE.npy
    std::uint64_t max_stops = 0;     ///< 0 = any number
    std::uint64_t rows = 20;
    bool profile = false;
    bool first_nan = false;
    bool compare = false;
    bool verify = false;
    std::string timeline;
    bool json = false;
    std::vector<std::string> program;
};

/// Values requested as a file: those of the last stop.
struct Dump {
    std::filesystem::path file;
    std::optional<TensorCapture> capture;
    std::optional<Error> problem;    ///< why there is no capture
    std::uint64_t graph = 0;         ///< of the capture
    std::set<TensorIdentity> names;  ///< of all captures
};

/// The tensors that a condition means at a stop: those of its name, or for a pattern the node itself. A name
/// of several tensors means the nodes among them; weights, inputs and views are read where the first node
/// that reads them stops.
std::vector<TensorId> tensors_meant(const Breakpoint& breakpoint, const AttachStop& stop) {
    if (!BreakpointMatcher(breakpoint).names_nodes()) return {stop.tensor};
    const Graph& graph = *stop.graph->graph;
    std::vector<TensorId> meant = stop.graph->identities->all(breakpoint.text);
    const auto computes = [&](TensorId tensor) { return can_stop_at(graph[tensor]); };
    if (std::ranges::any_of(meant, computes)) std::erase_if(meant, std::not_fn(computes));
    std::erase_if(meant,
                  [&](TensorId tensor) { return stop_for(graph, graph.nodes, tensor) != stop.tensor; });
    return meant;
}

/// Errors: those of AttachedProgram::read, and unsupported (overwritten by another node).
TensorCapture read_named(AttachedProgram& program, TensorId tensor, const JobContext& job) {
    TensorCapture capture = program.read(tensor, kMaxOperandBytes, job);
    if (capture.state == TensorState::no_memory)
        throw Error(ErrorKind::unallocated, msg::kTensorHasNoMemory, capture.tensor.name);
    if (capture.state == TensorState::reused)
        throw Error(ErrorKind::unsupported, msg::kOverwrittenBy(capture.reused_by), capture.tensor.name);
    return capture;
}

/// Empty if another node has overwritten the values. Small packed tensors are transferred and decoded here,
/// because the agent only handles plain numbers.
RemoteStatistics values_of(AttachedProgram& program, const AttachStop& stop, TensorId tensor,
                           const JobContext& job) {
    RemoteStatistics there = program.examine(tensor, job);
    if (there.state == TensorState::reused) there.statistics = {};
    const Tensor& t = (*stop.graph->graph)[tensor];
    constexpr std::uint64_t kMaxFetched = std::uint64_t{64} << 20;
    if (there.state == TensorState::computed && there.statistics.count == 0 && can_show_values(t.type) &&
        byte_size(t) <= kMaxFetched) {
        const TensorCapture capture = program.read(tensor, kMaxFetched, job);
        there.statistics = tensor_statistics(t, capture.bytes, job);
    }
    return there;
}

SeenStop look_at(AttachedProgram& program, std::shared_ptr<const AttachStop> stop, const JobContext& job) {
    SeenStop seen{std::move(stop), {}};
    const AttachStop& at = *seen.stop;
    if (!at.tensor.valid()) return seen;
    const Graph& graph = *at.graph->graph;
    const auto add = [&](std::string role, TensorId tensor) {
        seen.tensors.push_back({std::move(role), numbered_name(at.graph->identities->of(tensor)),
                                graph[tensor], at.graph->backend_name(tensor),
                                values_of(program, at, tensor, job)});
    };
    add("result", at.tensor);
    for (std::size_t i = 0; i < kMaxSources; ++i) {
        if (const TensorId source = graph[at.tensor].src[i]; source.valid()) {
            add(fmt::format("operand {}", i), source);
        }
    }
    return seen;
}

/// Observes a program until it ends.
class Watching {
 public:
    Watching(Console& console, const AttachCommandOptions& options) : console_(console), options_(options) {
        read_conditions();
    }

    int run() {
        std::vector<std::filesystem::path> outputs;
        for (const auto& [id, dump] : dumps_) outputs.push_back(dump.file);
        if (!options_.timeline.empty()) outputs.emplace_back(options_.timeline);
        require_outputs(outputs);
        AttachOptions attach;
        attach.program = options_.program;
        attach.output = options_.json ? ProgramOutput::on_error : ProgramOutput::inherited;
        attach.conditions = conditions_;
        attach.guard = options_.compare;
        attach.times = options_.profile             ? channel::Times::nodes
                       : !options_.timeline.empty() ? channel::Times::splits
                                                    : channel::Times::calls;
        AttachedProgram program(attach);
        {
            const SignalsForChild signals(program.process(), Interrupts::detach);
            try {
                follow(program);
            } catch (const Cancelled&) {
                detach(program);
            }
        }
        profile(program);
        if (const auto end = program.end()) run_.end = *end;
        run_.graphs = program.graphs();
        run_.unloaded_backends = program.unloaded_backends();
        return finish();
    }

 private:
    void read_conditions() {
        const auto add = [&](StopCondition condition) {
            condition.breakpoint.id = static_cast<int>(conditions_.size()) + 1;
            conditions_.push_back(std::move(condition));
            return conditions_.back().breakpoint.id;
        };
        for (const std::string& text : options_.breaks) add(StopCondition::parse(text));
        for (const std::string& text : options_.dumps) {
            const auto middle = text.rfind('=');
            if (middle == std::string::npos || middle == 0 || !text.ends_with(".npy")) {
                throw Error(ErrorKind::usage, msg::kNotDump(text), "--dump", msg::kGiveDump);
            }
            const int id = add(StopCondition::parse(text.substr(0, middle)));
            dumps_[id].file = text.substr(middle + 1);
        }
        if (options_.first_nan) {
            StopCondition condition;
            condition.breakpoint.kind = BreakpointKind::not_finite;
            first_nan_ = add(std::move(condition));
        }
        if (options_.compare) {
            StopCondition condition;
            condition.breakpoint.kind = BreakpointKind::glob;
            condition.breakpoint.text = "*";
            compare_ = add(std::move(condition));
        }
    }

    void follow(AttachedProgram& program) {
        const JobContext job = console_.job();
        std::uint64_t seen = 0;
        while (!program.end()) {
            program.wait_for_events(seen, job);
            profile(program);
            const auto stop = program.stop();
            if (stop == nullptr || stop->number <= seen) continue;
            seen = stop->number;
            met_.insert(stop->breakpoint);
            last_graph_ = std::max(last_graph_, stop->computation);
            try {
                take_stop(program, stop, job);
            } catch (const Error& error) {
                // The program may be terminated while it is paused.
                if (error.kind() != ErrorKind::state) throw;
            }
            const bool found = first_nan_ != 0 && stop->breakpoint == first_nan_;
            const bool compared = compare_ != 0 && !compared_ && has_compared_token(stop->computation);
            const bool shown = options_.max_stops != 0 && run_.stops.size() >= options_.max_stops && !silent_;
            if (found || (compared && options_.breaks.empty() && options_.dumps.empty())) {
                end(program);
            } else if (compared || shown) {
                compared_ |= compared;
                silent_ |= shown;
                program.set_conditions(remaining_conditions());
            }
            program.resume();
        }
    }

    /// Whether a one-token graph was compared before this computation: that suffices.
    bool has_compared_token(std::uint64_t computation) const {
        return std::ranges::any_of(differences_.graphs, [&](const ComparedComputation& compared) {
            return compared.graph->tokens == 1 && compared.number < computation;
        });
    }

    /// After an interrupt for this process alone; one for both may end the program as well.
    void detach(AttachedProgram& program) {
        program.set_conditions({});
        program.resume();
        constexpr std::chrono::milliseconds kTurn(10);
        constexpr int kTurns = 50;
        for (int i = 0; i < kTurns && !program.end(); ++i) std::this_thread::sleep_for(kTurn);
        run_.detached = !program.end();
        interrupted_ = true;
        process_ = program.process();
    }

    void end(AttachedProgram& program) {
        ended_ = true;
        program.set_conditions({});
        program.signal(SIGTERM);
    }

    /// Without those of --break once enough stops are shown, and without the comparison once it is complete.
    std::vector<StopCondition> remaining_conditions() const {
        std::vector<StopCondition> kept = conditions_;
        std::erase_if(kept, [&](const StopCondition& condition) {
            const int id = condition.breakpoint.id;
            return (silent_ && static_cast<std::size_t>(id) <= options_.breaks.size()) ||
                   (compared_ && id == compare_);
        });
        return kept;
    }

    void take_stop(AttachedProgram& program, const std::shared_ptr<const AttachStop>& stop,
                   const JobContext& job) {
        const auto dump = dumps_.find(stop->breakpoint);
        if (dump != dumps_.end()) {
            take_values(program, dump->second, *stop, job);
            return;
        }
        if (stop->breakpoint == compare_ && compare_ != 0) return compare(program, stop, job);
        run_.stops.push_back(look_at(program, stop, job));
        if (options_.json) return;
        if (stop->breakpoint == first_nan_ && first_nan_ != 0)
            print_first_not_finite(console_, run_.stops.back());
        print_stop(console_, run_.stops.back());
    }

    void take_values(AttachedProgram& program, Dump& dump, const AttachStop& stop, const JobContext& job) {
        const Breakpoint& breakpoint = conditions_[static_cast<std::size_t>(stop.breakpoint) - 1].breakpoint;
        for (const TensorId tensor : tensors_meant(breakpoint, stop)) {
            dump.names.insert(stop.graph->identities->of(tensor));
            dump.graph = stop.computation;
            dump.capture.reset();
            dump.problem.reset();
            try {
                dump.capture = read_named(program, tensor, job);
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::state) throw;
                dump.problem = error;
            }
        }
    }

    /// A name of several nodes has to be completed, as for `run --dump-tensor`; of the nodes of a pattern,
    /// the last is written.
    void write_dump(Dump& dump, const StopCondition& condition) {
        if (BreakpointMatcher(condition.breakpoint).names_nodes() && dump.names.size() > 1) {
            std::string names;
            for (const TensorIdentity& name : dump.names)
                names += (names.empty() ? "" : ", ") + text_of(name);
            dump.capture.reset();
            dump.problem =
                Error(ErrorKind::usage, msg::kNodesOfOneName(dump.names.size(), condition.breakpoint.text),
                      "--dump", msg::kChooseTable(names));
        }
        if (!dump.capture) return;
        write_file_atomically(dump.file, npy_of(dump.capture->tensor, dump.capture->bytes));
        const std::string last =
            dump.names.size() > 1 ? fmt::format(", the last of {} tensors", dump.names.size()) : "";
        const Tensor& tensor = dump.capture->tensor;
        console_.note(fmt::format("Wrote {}: {} in graph {}{}", dump.file.string(),
                                  tensor.op == Op::none ? tensor.name : text_of(dump.capture->identity),
                                  dump.graph, last));
    }

    void compare(AttachedProgram& program, const std::shared_ptr<const AttachStop>& stop,
                 const JobContext& job) {
        const std::vector<StrayWrite> writes = program.take_stray_writes();
        std::ranges::copy(writes, std::back_inserter(differences_.stray_writes));
        ComparedComputation* const computation = computation_of(*stop);
        if (computation == nullptr) return;
        const auto result = comparison_.compare(program, *stop, job);
        for (const StrayWrite& write : writes) {
            if (write.tensor.valid()) comparison_.forget(*stop->graph->graph, write.tensor);
        }
        if (!result || !result->support) {
            ++computation->left_out;
            return;
        }
        ++computation->compared;
        if (!result->exceeds()) return;
        if (differences_.exceeding.empty()) differences_.first = look_at(program, stop, job);
        differences_.exceeding.push_back({stop, *result});
    }

    /// The computation of a stop if it is compared: the first of each size of batch, up to the first token.
    ComparedComputation* computation_of(const AttachStop& stop) {
        auto& graphs = differences_.graphs;
        if (!graphs.empty() && graphs.back().number == stop.computation) return &graphs.back();
        const bool known = std::ranges::any_of(graphs, [&](const ComparedComputation& compared) {
            return compared.graph->title() == stop.graph->title();
        });
        if (known || has_compared_token(stop.computation)) return nullptr;
        ComparedComputation begun;
        begun.number = stop.computation;
        begun.graph = stop.graph;
        return &graphs.emplace_back(std::move(begun));
    }

    void profile(AttachedProgram& program) {
        for (const auto& computation : program.take_computations()) {
            ++run_.computations;
            for (ComparedComputation& compared : differences_.graphs) {
                if (computation->number == compared.number && computation->status == 0)
                    compared.complete = true;
            }
            if (options_.profile) profile_.add(*computation);
            if (!options_.timeline.empty()) timeline_.push_back(computation);
        }
    }

    int finish() {
        if (!run_.end.refusal.empty() || (!run_.detached && run_.computations == 0 && run_.graphs.empty())) {
            throw nothing_seen(run_.end, options_.program[0]);
        }
        for (auto& [id, dump] : dumps_) write_dump(dump, conditions_[static_cast<std::size_t>(id) - 1]);
        if (!options_.timeline.empty()) {
            write_file_atomically(options_.timeline, program_timeline(options_.program[0], timeline_));
            console_.note("Wrote " + options_.timeline);
        }
        if (options_.verify) verify();
        const bool found = first_nan_ != 0 && std::ranges::any_of(run_.stops, [&](const SeenStop& seen) {
                               return seen.stop->breakpoint == first_nan_;
                           });
        if (compare_ != 0 && differences_.compared() == 0 && !interrupted_ && run_.end.program.succeeded())
            throw Error(ErrorKind::unsupported, msg::kNoNodeCompared, options_.program[0], msg::kGiveWork);
        if (options_.json) {
            run_.program = options_.program[0];
            if (first_nan_ != 0) run_.not_finite = found;
            for (const std::size_t i : unmet_breaks()) run_.never_met.push_back(options_.breaks[i]);
            if (options_.profile) run_.profile = profile_.shapes();
            if (compare_ != 0) run_.comparison = differences_;
            console_.write(write_attach_json(run_));
        } else {
            print_rest(found);
        }
        note_unmet_breaks();
        if (!options_.json) note_graphs();
        note_unloaded_backends();
        if (!run_.end.others.empty()) console_.note(english(not_debugged(run_.end)));
        if (!run_.end.problem.empty()) console_.error(english(run_.end.problem));
        if (run_.detached) {
            console_.note(fmt::format("Interrupted: detached from {} (pid {}), which continues",
                                      options_.program[0], process_));
        }
        if (!run_.end.program.succeeded() && !ended_) {
            console_.error(fmt::format("{} {}{}", options_.program[0], describe_end(run_.end),
                                       run_.end.abort_message.empty() ? "" : ": " + run_.end.abort_message));
            return interrupted_ ? kInterrupted : kDifferent;
        }
        for (const auto& [id, dump] : dumps_) {
            if (dump.problem) throw *dump.problem;
            if (dump.capture || ended_ || interrupted_) continue;
            const std::vector<std::string> names =
                similar_names(conditions_[static_cast<std::size_t>(id) - 1].breakpoint);
            throw Error(ErrorKind::usage, msg::kDumpNotComputed, dump.file,
                        names.empty() ? Message(msg::kProfileForNodes)
                                      : msg::kMostSimilarNames(fmt::format("{}", fmt::join(names, ", "))));
        }
        if (interrupted_) return kInterrupted;
        const bool scheduled_otherwise =
            run_.verification && !std::ranges::all_of(*run_.verification, [](const VerifiedGraph& graph) {
                return graph.verification.same();
            });
        const bool partly_compared = compare_ != 0 && !differences_.complete();
        const bool partly_checked = first_nan_ != 0 && !found && !run_.end.others.empty();
        return found || scheduled_otherwise || partly_compared || partly_checked || !differences_.same()
                   ? kDifferent
                   : kOk;
    }

    /// Simulates each graph on the program's machine.
    void verify() {
        run_.verification.emplace();
        for (const auto& graph : run_.graphs) {
            auto file = std::make_shared<OpenedFile>();
            file->path = options_.program[0];
            file->graph = graph->graph;
            file->machine = graph->captured->machine;
            file->generation = graph->generation;
            file->recorded = graph->captured->recorded;
            // The job of the console has been cancelled by then.
            const JobContext job = interrupted_ ? JobContext() : console_.job();
            const auto simulated = analyse(default_session(std::move(file)), job);
            run_.verification->push_back({fmt::format("{}, {}", graph->title(), graph->purpose),
                                          verify_recorded(*simulated, graph->captured->recorded)});
        }
    }

    void print_rest(bool found) {
        if (options_.profile) {
            for (const ShapeProfile& shape : profile_.shapes()) print_profile(console_, shape, options_.rows);
            console_.print(
                "\nTimes are those of a debugged run: each node is computed by itself, followed by a wait "
                "for its backend.\n");
        }
        if (!differences_.graphs.empty()) print_comparison(console_, differences_, options_.rows);
        if (options_.verify) print_verification(console_, *run_.verification);
        if (first_nan_ != 0 && !found && run_.computations > 0) {
            console_.print(fmt::format("All values of {} graphs{} are finite\n", run_.computations,
                                       run_.end.others.empty() ? "" : " of the debugged process"));
        }
    }

    void note_graphs() const {
        const auto distinct = std::ranges::count(run_.graphs, "decode", &AttachedGraph::purpose);
        if (run_.computations > 0) {
            console_.note(fmt::format("{} {} computed, {} distinct", run_.computations,
                                      run_.computations == 1 ? "graph" : "graphs", distinct));
        } else {
            console_.note(last_graph_ > 0 ? "The program ended in its first graph" : "No graph was computed");
        }
    }

    void note_unloaded_backends() const {
        for (const std::string& file : run_.unloaded_backends)
            console_.note(file + " was not loaded by the program");
        if (!run_.unloaded_backends.empty())
            console_.note("'splitscope devices --engine FOLDER' with the folder of its ggml shows why");
    }

    /// Of --break, by number; none if later stops were not requested.
    std::vector<std::size_t> unmet_breaks() const {
        if (options_.max_stops != 0 && run_.stops.size() >= options_.max_stops) return {};
        std::vector<std::size_t> unmet;
        for (std::size_t i = 0; i < options_.breaks.size(); ++i) {
            if (!met_.contains(conditions_[i].breakpoint.id)) unmet.push_back(i);
        }
        return unmet;
    }

    /// A misspelt name, or a graph after the last, would otherwise look like a node that is never computed.
    void note_unmet_breaks() const {
        for (const std::size_t i : unmet_breaks())
            console_.note(fmt::format("--break {}: never stopped the program{}{}", options_.breaks[i],
                                      graphs_before(i), known_names(i)));
    }

    /// For the note of an unmet condition in a graph after the last.
    std::string graphs_before(std::size_t condition) const {
        const auto& computation = conditions_[condition].breakpoint.computation;
        if (!computation || *computation <= run_.computations) return {};
        return fmt::format("; the program computed {} {}", run_.computations,
                           run_.computations == 1 ? "graph" : "graphs");
    }

    /// For the note of an unmet condition that names a backend, or a node or operation of no graph.
    std::string known_names(std::size_t condition) const {
        if (run_.graphs.empty()) return {};
        const Breakpoint& breakpoint = conditions_[condition].breakpoint;
        if (breakpoint.kind == BreakpointKind::backend) {
            std::vector<std::string> names;
            for (const MachineBackend& backend : run_.graphs.back()->captured->machine.backends)
                names.push_back(backend.name);
            return fmt::format("; the program's backends: {}", fmt::join(names, ", "));
        }
        const std::vector<std::string> names = similar_names(breakpoint);
        return names.empty() ? "" : fmt::format("; the most similar names are {}", fmt::join(names, ", "));
    }

    /// Empty unless the breakpoint names a node or operation that no graph has.
    std::vector<std::string> similar_names(const Breakpoint& breakpoint) const {
        if (breakpoint.kind != BreakpointKind::node && breakpoint.kind != BreakpointKind::op) return {};
        const BreakpointMatcher matcher(breakpoint);
        const bool with_op = breakpoint.text.find('@') != std::string::npos;
        std::set<std::string> names;
        for (const auto& attached : run_.graphs) {
            const Graph& graph = *attached->graph;
            if (matcher.names_nodes() && !attached->identities->all(breakpoint.text).empty()) return {};
            for (const TensorId node : graph.nodes) {
                if (!can_stop_at(graph[node])) continue;
                if (!matcher.names_nodes() && matcher.matches(graph[node], attached->backend_name(node)))
                    return {};
                names.insert(breakpoint.kind == BreakpointKind::op ? std::string(name_of(graph[node].op))
                             : with_op                             ? text_of(attached->identities->of(node))
                                                                   : graph[node].name);
            }
        }
        constexpr std::size_t kMaxNames = 3;
        return most_similar_names(names, breakpoint.text, kMaxNames);
    }

    Console& console_;
    const AttachCommandOptions& options_;
    LiveBackends kernels_{machine_of_devices({}, BackendRegistry()), nullptr, {}};  ///< of the CPU backend
    ProgramComparison comparison_{*kernels_.all().front()};
    int compare_ = 0;
    std::uint64_t last_graph_ = 0;  ///< computation of the last stop
    std::set<int> met_;             ///< conditions that stopped the program
    bool silent_ = false;           ///< no more stops of --break are requested
    bool compared_ = false;         ///< the comparison has a one-token graph
    bool interrupted_ = false;
    pid_t process_ = 0;
    bool ended_ = false;  ///< no more events arrive from the program
    AttachComparison differences_;
    std::vector<StopCondition> conditions_;
    std::map<int, Dump> dumps_;
    int first_nan_ = 0;
    ProgramProfile profile_;
    std::vector<std::shared_ptr<const Computation>> timeline_;
    AttachedRun run_;
};

int run_attach(Console& console, const AttachCommandOptions& options) {
    if (options.program.empty()) {
        throw Error(ErrorKind::usage, msg::kNoProgram, "attach", msg::kAttachBehindDashes);
    }
    return Watching(console, options).run();
}

}  // namespace

void add_attach(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<AttachCommandOptions>();
    CLI::App& command = *program.add_subcommand(
        "attach", "Stop, inspect and time an unmodified program that loads ggml as shared libraries");
    command
        .add_option("--break", options->breaks,
                    "Show a node and its operands each time it is computed: a name, NAME@OP, a pattern, "
                    "op=OP, backend=NAME or not-finite; restricted by ,graph=N ,tokens=N ,split=N ,hits=N "
                    ",outside=LOW..HIGH")
        ->allow_extra_args(false)
        ->type_name("CONDITION");
    command
        .add_option("--dump", options->dumps,
                    "Write the values of a node, weight, input or view at the last stop as a NumPy "
                    "array; a name of several nodes needs @OP, of the nodes of a pattern the last is written")
        ->allow_extra_args(false)
        ->type_name("CONDITION=FILE.npy");
    command.add_option("--stops", options->max_stops, "Show at most N stops of --break")
        ->check(CLI::Range(1, 1 << 30))
        ->type_name("N");
    command.add_flag("--profile", options->profile,
                     "Time every node, and list nodes, operations, layers, splits and copies");
    command.add_option("--rows", options->rows, "Maximum rows of each table of the profile")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str()
        ->type_name("N");
    command.add_flag("--first-nan", options->first_nan,
                     "Find the first node with a NaN or an infinity, and end the program there");
    command.add_flag(
        "--compare-backends", options->compare,
        "Recompute each node of the prompt and of the first token with Splitscope's CPU kernels from "
        "the same operands, list those that exceed their tolerance or write outside their "
        "result, and then end the program, unless --break or --dump is given");
    command.add_flag("--verify", options->verify,
                     "Simulate the schedule of each graph with the answers of the program's devices, and "
                     "compare assignments, splits, copies and compute buffers");
    command
        .add_option(
            "--timeline", options->timeline,
            "Write graphs, splits and copies, with --profile also nodes, as trace events for Perfetto")
        ->type_name("FILE.trace.json");
    command.add_flag("--json", options->json,
                     "Print one JSON object; the program's standard output goes to standard error");
    command.add_option("program", options->program, "The program and its arguments, after '--'")
        ->type_name("PROGRAM ARGS");
    command.footer(
        "The program must load ggml and llama.cpp as shared libraries. Without --break, --dump, "
        "--profile, --timeline, --first-nan and --compare-backends, it computes exactly as on its own; with "
        "them, "
        "nodes or splits are computed one at a time.\n\nExamples:\n"
        "  splitscope attach --break l_out-2,graph=3 -- llama-cli -m model.gguf -p Hello -n 8\n"
        "  splitscope attach --first-nan -- llama-server -m model.gguf\n"
        "  splitscope attach --profile --json -- llama-bench -m model.gguf\n"
        "  splitscope attach --verify --timeline chat.trace.json -- llama-cli -m model.gguf -p Hello -n 8");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_attach(console, *options); });
    });
}

}  // namespace splitscope::cli
