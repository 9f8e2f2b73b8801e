// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/json_place.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/support/job.hpp"
#include "engine/support/memory_bound.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Reads a `splitscope-graph` document (formats.md) and validates it; nested views are collapsed to their
/// base. Throws Error(bad_file) with the JSON pointer of the bad value, Error(memory_bound) and Cancelled;
/// `source` names the file in messages.
Graph parse_graph_json(std::string_view text, std::string_view source = "graph", const JobContext& job = {});

/// As above, for a graph in another document.
Graph read_graph(const JsonPiece& piece, const JobContext& job);

/// Limits the number of recorded allocation sizes relative to the document's size, for documents with several
/// graphs. Throws Error(memory_bound).
void require_few_alloc_sizes(std::size_t count, std::size_t text_bytes, MemoryBound bound,
                             const std::string& where);

/// Byte-stable: parsing the output and writing it again gives the same text.
std::string write_graph_json(const Graph& graph);
/// The same as a value of another document.
void write_graph(JsonWriter& json, const Graph& graph);

}  // namespace splitscope
