// SPDX-License-Identifier: MIT
#include "engine/session/import_log.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/importers/log_graph.hpp"
#include "engine/importers/messages.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/error.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {
namespace {

/// Finds a machine on which the schedule of a logged graph matches the log.
class MachineFinder {
 public:
    MachineFinder(LogGraph imported, const JobContext& job)
        : logged_(std::move(imported)),
          graph_(std::make_shared<const Graph>(std::move(logged_.graph))),
          job_(job) {}

    std::shared_ptr<OpenedFile> find() {
        // The machine is modified in place, because recorded answers may be large.
        const auto machine = std::make_shared<Machine>(std::move(logged_.machine));
        validate(*machine);
        validate(*machine, *graph_);
        std::vector<TensorId> wrong = differences(machine);
        if (!wrong.empty()) {
            const auto refusing = std::make_shared<Machine>(*machine);
            add_refused_operations(*refusing);
            auto fewer = differences(refusing);
            if (fewer.size() < wrong.size()) {
                *machine = std::move(*refusing);
                wrong = std::move(fewer);
                logged_.remarks.push_back(msg::kRefusalsAssumed);
            }
        }
        const std::size_t assumed = wrong.size();
        // A node that stays elsewhere despite its assignment has only one.
        std::set<std::size_t> assigned;
        constexpr int kRounds = 4;
        for (int round = 0; round < kRounds && !wrong.empty(); ++round) {
            for (const TensorId t : wrong) {
                if (assigned.insert(t.index()).second)
                    machine->assignments.push_back({t, logged_.recorded.backend[t.index()]});
            }
            wrong = differences(machine);
        }
        if (!wrong.empty()) {
            machine->assignments.clear();
            for (const TensorId node : graph_->nodes) {
                const BackendId backend = logged_.recorded.backend[node.index()];
                if (backend.valid()) machine->assignments.push_back({node, backend});
            }
            wrong = differences(machine);
        }
        if (assumed > 0) {
            logged_.remarks.push_back(msg::kAssignedAsLogged(machine->assignments.size()));
        }
        if (!wrong.empty()) {
            logged_.remarks.push_back(msg::kScheduledElsewhere(wrong.size()));
        }
        auto opened = std::make_shared<OpenedFile>();
        opened->graph = graph_;
        opened->machine = std::move(*machine);
        opened->generation = logged_.generation;
        opened->recorded = std::move(logged_.recorded);
        opened->remarks = std::move(logged_.remarks);
        return opened;
    }

 private:
    /// Nodes with other backends than logged; all of them if scheduling fails.
    std::vector<TensorId> differences(const std::shared_ptr<const Machine>& machine) const {
        job_.check();
        const Simulation simulation = simulate(graph_, machine, logged_.generation, job_, false);
        std::vector<TensorId> wrong;
        for (const TensorId node : graph_->nodes) {
            const BackendId logged = logged_.recorded.backend[node.index()];
            if (logged.valid() &&
                (simulation.schedule->error || simulation.schedule->backend[node.index()] != logged)) {
                wrong.push_back(node);
            }
        }
        return wrong;
    }

    void add_refused_operations(Machine& machine) const {
        const BackendId cpu(machine.backends.size() - 1);
        std::set<Op> on_cpu;
        std::vector<std::set<Op>> runs(machine.backends.size());
        for (const TensorId node : graph_->nodes) {
            const BackendId backend = logged_.recorded.backend[node.index()];
            if (!backend.valid() || is_view_op((*graph_)[node].op)) continue;
            runs[backend.index()].insert((*graph_)[node].op);
            if (backend == cpu) on_cpu.insert((*graph_)[node].op);
        }
        for (std::size_t b = 0; b + 1 < machine.backends.size(); ++b) {
            if (machine.backends[b].device != DeviceKind::gpu) continue;
            for (const Op op : on_cpu) {
                if (!runs[b].contains(op)) machine.backends[b].unsupported_ops.emplace_back(name_of(op));
            }
        }
    }

    LogGraph logged_;
    std::shared_ptr<const Graph> graph_;
    const JobContext& job_;
};

}  // namespace

std::size_t main_graph_of(const SchedulerLog& log) {
    const auto found = std::find_if(log.graphs.rbegin(), log.graphs.rend(), [](const LoggedGraph& graph) {
        return graph.has_nodes() && !graph.starts_midway && !graph.ends_early;
    });
    if (found != log.graphs.rend()) return static_cast<std::size_t>(log.graphs.rend() - found) - 1;
    const auto any = std::find_if(log.graphs.rbegin(), log.graphs.rend(),
                                  [](const LoggedGraph& graph) { return graph.has_nodes(); });
    if (any != log.graphs.rend()) return static_cast<std::size_t>(log.graphs.rend() - any) - 1;
    if (log.graphs_left_out > 0) throw beyond_memory_bound(msg::kGraphsTooLarge, {});
    if (log.graphs.empty()) {
        throw Error(ErrorKind::bad_file, msg::kNoLoggedGraph, {}, msg::kRunWithDebug);
    }
    throw Error(ErrorKind::unsupported, msg::kNoLoggedNodes, msg::kLine(log.graphs[0].line),
                msg::kRunAgainWithDebug);
}

std::shared_ptr<OpenedFile> open_logged_graph(const SchedulerLog& log, std::size_t number,
                                              const JobContext& job) {
    if (number >= log.graphs.size()) {
        throw Error(ErrorKind::usage, msg::kLoggedGraphs(log.graphs.size()), msg::kGraphNumber(number + 1),
                    msg::kChooseOne);
    }
    const std::uint64_t max_bytes = job.memory_bound().of_file(log.bytes) - log.memory;
    auto opened = MachineFinder(graph_of_log(log.graphs[number], log.facts, max_bytes), job).find();
    opened->graph_number = number;
    for (const LoggedGraph& graph : log.graphs) {
        opened->graphs.push_back(
            {fmt::format("line {}{}{}", graph.line, graph.has_nodes() ? "" : ", splits only",
                         graph.starts_midway || graph.ends_early ? ", incomplete" : ""),
             graph.nodes.size(), graph.splits.size(), graph.times});
    }
    if (log.graphs_left_out > 0) {
        opened->remarks.push_back(msg::kGraphsNotKept(log.graphs_left_out));
    }
    if (log.graphs[number].starts_midway) {
        opened->remarks.push_back(msg::kBeginningMissing);
    }
    if (log.graphs[number].ends_early) {
        opened->recorded->ends_early = true;
        opened->remarks.push_back(msg::kEndMissing);
    }
    if (log.notes_total > 0) {
        opened->remarks.push_back(
            msg::kLogPartsNotUnderstood(log.notes_total, log.notes[0].line, log.notes[0].what));
    }
    return opened;
}

}  // namespace splitscope
