// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// A graph out of the reference's DOT dump (placement.md §12), with what the dump does not say and had to be
/// assumed: strides, the fourth dimension, parameters of operations, flags, buffers.
struct DotGraph {
    Graph graph;
    std::vector<Message> remarks;
};

/// True when the text starts as the dump does.
bool is_dot_graph(std::string_view text);

/// Lines that were not understood are remarked. Throws Error(bad_file), with the line, when nothing was or
/// when the edges are no order of execution, and Error(memory_bound). Reports progress, stops on request.
DotGraph parse_dot_graph(std::string_view text, std::string_view source = "dump", const JobContext& job = {});

}  // namespace splitscope
