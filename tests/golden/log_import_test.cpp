// SPDX-License-Identifier: MIT
// Real logs, read and compared line by line.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/importers/log_lines.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/messages/render.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/session/import_log.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/unpacked.hpp"

namespace splitscope::golden {
namespace {

std::string size_text(std::uint64_t bytes, bool in_mib) {
    return in_mib ? fmt::format("{:>4}M", bytes >> 20) : fmt::format("{:>4}K", bytes >> 10);
}
/// Sizes from 1 MiB on are printed in MiB.
std::string size_text(std::uint64_t bytes) {
    return size_text(bytes, bytes >= (1U << 20));
}

std::string tensor_text(const LoggedTensor& t) {
    return fmt::format("{:>20} ({}) [{:>5} {:>8}]", t.name, size_text(t.bytes), t.backend, t.cause);
}

/// The printed lines of a graph, without trailing blanks.
std::vector<std::string> lines_of(const LoggedGraph& graph) {
    std::vector<std::string> lines;
    for (const LoggedSplit& split : graph.splits) {
        std::string header =
            fmt::format("## SPLIT #{}: {} # {} inputs", split.number, split.backend, split.declared_inputs);
        if (!split.inputs.empty()) header += ":";
        for (const LoggedInput& input : split.inputs) {
            header += fmt::format(" [{} ({})]", input.name, size_text(input.bytes));
        }
        lines.push_back(header);
        for (std::size_t i = split.first_node; i < split.first_node + split.node_count; ++i) {
            const LoggedNode& node = graph.nodes[i];
            std::string line =
                fmt::format("node #{:>3} ({:>10}): {}", node.index, node.op, tensor_text(node.tensor));
            if (node.uses) line += fmt::format(" use={}", *node.uses);
            if (node.computed) line += fmt::format(",c={}", *node.computed ? 1 : 0);
            line += ":";
            for (std::uint32_t s = 0; s < node.source_count; ++s) {
                line += " " + tensor_text(graph.sources[node.first_source + s]);
            }
            lines.push_back(line);
        }
    }
    return lines;
}

/// The scheduler's lines of a log from `first` on, without prefixes and trailing blanks.
std::vector<std::string> scheduler_lines(const std::string& log, std::size_t first) {
    std::vector<std::string> lines;
    LineCleaner cleaner;
    std::size_t number = 0;
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t end = std::min(log.find('\n', at), log.size());
        if (++number >= first) {
            std::string line(cleaner.clean(std::string_view(log).substr(at, end - at)));
            while (line.ends_with(' ')) line.pop_back();
            if (line.starts_with("## SPLIT") || line.starts_with("node #")) lines.push_back(line);
        }
        at = end + 1;
    }
    return lines;
}

TEST(Golden, LogsAreReadCompletely) {
    const auto logs = folder("logs");
    if (!logs) GTEST_SKIP() << absent("logs");
    Score score;
    for (const auto& entry : std::filesystem::directory_iterator(*logs)) {
        if (entry.path().extension() != ".log") continue;
        const std::string text = read_text_file(entry.path());
        const SchedulerLog log = parse_scheduler_log(text);
        const std::string name = entry.path().filename().string();
        bool complete = log.notes_total == 0 && !log.graphs.empty();
        EXPECT_EQ(log.notes_total, 0U)
            << name << (log.notes.empty() ? "" : ": " + english(log.notes[0].what));
        std::size_t lines = 0;
        std::size_t printed = 0;
        for (const LoggedGraph& graph : log.graphs) {
            const auto ours = lines_of(graph);
            auto theirs = scheduler_lines(text, graph.line);
            theirs.resize(std::min(theirs.size(), ours.size()));
            complete = complete && ours == theirs;
            EXPECT_EQ(ours, theirs) << name << " line " << graph.line;
            lines += graph.times * ours.size();
            printed += graph.times;
        }
        EXPECT_EQ(printed, log.graphs_total) << name;
        EXPECT_EQ(lines, scheduler_lines(text, 0).size()) << name;
        score.add(complete && lines == scheduler_lines(text, 0).size());
    }
    report("log imports", score);
}

/// Backend, nodes and inputs of each split, as comparable text.
std::string splits_of(const LoggedGraph& graph) {
    std::string text;
    for (const LoggedSplit& split : graph.splits) {
        text += fmt::format("{}:", split.backend);
        for (std::size_t i = 0; i < split.node_count; ++i) {
            const LoggedNode& node = graph.nodes[split.first_node + i];
            text += fmt::format(" {} {}", node.index, node.tensor.bytes >> 10);
        }
        for (const LoggedInput& input : split.inputs)
            text += fmt::format(" [{} {}]", input.name, input.bytes);
        text += '\n';
    }
    return text;
}

/// Number of sources and size of each node.
std::string sources_of(const LoggedGraph& graph) {
    std::string text;
    for (const LoggedNode& node : graph.nodes) {
        text += fmt::format("{}:", node.index);
        for (std::uint32_t s = 0; s < node.source_count; ++s) {
            text += fmt::format(" {}", graph.sources[node.first_source + s].bytes >> 10);
        }
        text += '\n';
    }
    return text;
}

TEST(Golden, LoggedGraphsAreScheduledAsLogged) {
    const auto logs = folder("logs");
    if (!logs) GTEST_SKIP() << absent("logs");
    Score score;
    std::size_t assigned = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*logs)) {
        const std::string name = entry.path().filename().string();
        if (name.find("debug2.log") == std::string::npos) continue;
        const SchedulerLog log = parse_scheduler_log(read_text_file(entry.path()));
        for (std::size_t i = 0; i < log.graphs.size(); ++i) {
            const auto opened = open_logged_graph(log, i);
            ASSERT_NO_THROW(validate(*opened->graph)) << name;
            const Simulation simulation = simulate(
                opened->graph, std::make_shared<const Machine>(*opened->machine), *opened->generation);
            ASSERT_FALSE(simulation.schedule->error) << name << ": " << simulation.schedule->error->message;
            const SchedulerLog ours = parse_scheduler_log(debug_log(*simulation.schedule));
            ASSERT_EQ(ours.graphs.size(), 1U);
            const bool same = splits_of(ours.graphs[0]) == splits_of(log.graphs[i]) &&
                              sources_of(ours.graphs[0]) == sources_of(log.graphs[i]);
            EXPECT_EQ(splits_of(ours.graphs[0]), splits_of(log.graphs[i]))
                << name << " line " << log.graphs[i].line;
            EXPECT_EQ(sources_of(ours.graphs[0]), sources_of(log.graphs[i]))
                << name << " line " << log.graphs[i].line;
            const RecordedComparison compared =
                compare_with_recorded(*simulation.schedule, *opened->recorded);
            EXPECT_TRUE(compared.elsewhere.empty()) << name << " line " << log.graphs[i].line;
            EXPECT_FALSE(compared.first_split) << name << " line " << log.graphs[i].line;
            score.add(same && compared.same());
            assigned += opened->machine->assignments.size();
        }
    }
    fmt::print("{} assignments\n", assigned);
    report("log schedules", score);
}

/// Logs of every architecture: the engine's number of splits equals the simulated one.
TEST(Golden, LogsOfArchitecturesHaveTheEnginesSplits) {
    const auto archs = folder("archs");
    if (!archs) GTEST_SKIP() << absent("archs");
    Score score;
    std::size_t logs = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*archs)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".log.xz")) continue;
        ++logs;
        const std::string text = unpacked(entry.path());
        ASSERT_FALSE(text.empty()) << name << ": is xz installed?";
        const SchedulerLog log = parse_scheduler_log(text);
        for (std::size_t i = 0; i < log.graphs.size(); ++i) {
            const std::size_t made = log.graphs[i].splits.size();
            const auto opened = open_logged_graph(log, i);
            EXPECT_EQ(opened->recorded->splits.size(), made) << name << " graph " << i;
            const Simulation simulation = simulate(
                opened->graph, std::make_shared<const Machine>(*opened->machine), *opened->generation);
            ASSERT_FALSE(simulation.schedule->error) << name << ": " << simulation.schedule->error->message;
            EXPECT_EQ(simulation.schedule->splits.size(), made) << name << " graph " << i;
            score.add(simulation.schedule->splits.size() == made);
        }
    }
    fmt::print("{} logs\n", logs);
    report("log splits", score);
}

}  // namespace
}  // namespace splitscope::golden
