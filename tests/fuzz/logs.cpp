// SPDX-License-Identifier: MIT
// Output of programs: logs, dumps and recordings. The resulting graphs are valid.
#include "engine/formats/capture_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/importers/dot_graph.hpp"
#include "engine/importers/log_graph.hpp"
#include "engine/importers/recording.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {
namespace {

void require_whole(const Graph& graph, const Machine& machine, const RecordedSchedule& recorded) {
    validate(graph);
    validate(machine);
    validate(machine, graph);
    require(recorded.backend.size() == graph.tensors.size(), "a place is recorded for each tensor");
    for (const Split& split : recorded.splits)
        require(split.start <= split.end && split.end <= graph.nodes.size(),
                "splits hold nodes of the graph");
}

}  // namespace

void scheduler_log(Bytes bytes) {
    // Nothing in a log is an error, but required parts of a graph may be missing.
    const SchedulerLog log = parse_scheduler_log(text_of(bytes));
    for (const LoggedGraph& graph : log.graphs) {
        for (const LoggedSplit& split : graph.splits)
            require(split.first_node + split.node_count <= graph.nodes.size(), "splits refer to nodes");
        for (const LoggedNode& node : graph.nodes)
            require(node.first_source + node.source_count <= graph.sources.size(), "nodes refer to sources");
        try {
            const LogGraph made = graph_of_log(graph, log.facts);
            require_whole(made.graph, made.machine, made.recorded);
        } catch (const Error& error) {
            require(error.kind() == ErrorKind::unsupported, "only what a log lacks is an error");
        }
    }
    require(log.notes.size() <= kMaxRemarks, "notes are bounded");
    is_scheduler_log(text_of(bytes));
}

void dot_graph(Bytes bytes) {
    expecting_errors([&] {
        is_dot_graph(text_of(bytes));
        validate(parse_dot_graph(text_of(bytes)).graph);
    });
}

void recording(Bytes bytes) {
    expecting_errors([&] {
        const Capture capture = parse_recording(text_of(bytes));
        for (const CapturedGraph& graph : capture.graphs)
            require_whole(graph.graph, graph.machine, graph.recorded);
        const std::string text = write_capture_json(capture);
        require(write_capture_json(parse_capture_json(text)) == text,
                "a recording is written and read alike");
    });
}

void capture_json(Bytes bytes) {
    expecting_errors([&] {
        is_capture_json(text_of(bytes));
        const Capture capture = parse_capture_json(text_of(bytes));
        const std::string text = write_capture_json(capture);
        require(write_capture_json(parse_capture_json(text)) == text,
                "a written recording reads back as it was");
    });
}

}  // namespace splitscope::fuzz
