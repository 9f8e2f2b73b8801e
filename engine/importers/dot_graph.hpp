// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// A graph from a DOT dump of ggml (placement.md §12). Remarks list what the dump lacks and was assumed:
/// strides, the fourth dimension, parameters of operations, flags, buffers.
struct DotGraph {
    Graph graph;
    std::vector<Message> remarks;
};

/// Whether the text starts like a DOT dump.
bool is_dot_graph(std::string_view text);

/// Lines that cannot be parsed become remarks. Throws Error(bad_file), with the line, if no line could be
/// parsed or the edges contradict the execution order, and Error(memory_bound). Reports progress;
/// cancellable.
DotGraph parse_dot_graph(std::string_view text, std::string_view source = "dump", const JobContext& job = {});

}  // namespace splitscope
