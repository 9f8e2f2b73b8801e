// SPDX-License-Identifier: MIT
#include "engine/session/import_capture.hpp"

#include <utility>

#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

std::shared_ptr<OpenedFile> open_captured_graph(Capture capture, std::optional<std::size_t> number) {
    if (capture.graphs.empty()) {
        throw Error(ErrorKind::bad_file, msg::kNoRecordedGraph, {}, msg::kRecordSharedLibraries);
    }
    const std::size_t chosen = number.value_or(capture.main_graph());
    if (chosen >= capture.graphs.size()) {
        throw Error(ErrorKind::usage, msg::kRecordedGraphs(capture.graphs.size()),
                    msg::kGraphNumber(chosen + 1), msg::kChooseOne);
    }
    auto opened = std::make_shared<OpenedFile>();
    for (const CapturedGraph& graph : capture.graphs) {
        opened->graphs.push_back(
            {graph.purpose, graph.graph.nodes.size(), graph.recorded.splits.size(), graph.times});
    }
    CapturedGraph& captured = capture.graphs[chosen];
    opened->graph_number = chosen;
    opened->graph = std::make_shared<const Graph>(std::move(captured.graph));
    opened->machine = std::move(captured.machine);
    opened->generation = capture.generation;
    opened->recorded = std::move(captured.recorded);
    opened->remarks = std::move(captured.remarks);
    for (Message& remark : capture.remarks) opened->remarks.push_back(std::move(remark));
    return opened;
}

}  // namespace splitscope
