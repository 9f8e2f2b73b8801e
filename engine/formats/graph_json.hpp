// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Reads a `splitscope-graph` document (formats.md) and validates it; nested views are collapsed to their
/// base. Throws Error(bad_file) with the JSON pointer of the bad value; `source` names the file in messages.
Graph parse_graph_json(std::string_view text, std::string_view source = "graph");

/// Byte-stable: writing what was read gives the same text as writing it again.
std::string write_graph_json(const Graph& graph);

}  // namespace splitscope
