// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/importers/log_facts.hpp"
#include "engine/importers/text_pool.hpp"
#include "engine/messages/message.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// A tensor as printed in a scheduler log (placement.md §11.2). Texts are unpadded views into the log and are
/// valid as long as it is.
struct LoggedTensor {
    std::string_view name;     ///< truncated to 20 bytes
    std::string_view backend;  ///< truncated to 5 bytes; "NULL" = unassigned
    std::string_view cause;    ///< empty unless the program records causes
    std::uint64_t bytes = 0;   ///< as printed: rounded down to KiB or MiB

    friend bool operator==(const LoggedTensor&, const LoggedTensor&) = default;
};

struct LoggedNode {
    std::int64_t index = 0;  ///< position in the graph; views are not printed, so there are gaps
    std::string_view op;     ///< truncated to 10 bytes
    LoggedTensor tensor;
    std::optional<std::int64_t> uses;
    std::optional<bool> computed;
    std::uint32_t first_source = 0;  ///< range in LoggedGraph::sources
    std::uint32_t source_count = 0;

    friend bool operator==(const LoggedNode&, const LoggedNode&) = default;
};

struct LoggedInput {
    std::string_view name;  ///< complete up to kMaxNameBytes
    std::uint64_t bytes = 0;

    friend bool operator==(const LoggedInput&, const LoggedInput&) = default;
};

struct LoggedSplit {
    std::int64_t number = 0;
    std::string_view backend;  ///< complete up to kMaxNameBytes
    std::int64_t declared_inputs = 0;
    std::vector<LoggedInput> inputs;  ///< fewer than declared if the line was truncated
    std::size_t first_node = 0;       ///< range in LoggedGraph::nodes
    std::size_t node_count = 0;

    friend bool operator==(const LoggedSplit&, const LoggedSplit&) = default;
};

/// One graph that the program scheduled, as printed. Identical graphs are stored once.
struct LoggedGraph {
    std::vector<LoggedSplit> splits;
    std::vector<LoggedNode> nodes;
    std::vector<LoggedTensor> sources;
    bool starts_midway = false;  ///< the first split header is not number 0: the start is missing
    bool ends_early = false;     ///< the log ends within the graph
    std::size_t line = 0;        ///< of the first occurrence, from 1
    std::size_t times = 1;       ///< how often it was printed

    bool has_nodes() const { return !nodes.empty(); }
    /// Equal content, regardless of position.
    bool same_content(const LoggedGraph& other) const;
};

/// A line, or part of one, that could not be parsed.
struct LogNote {
    std::size_t line = 0;  ///< from 1
    Message what;
};

struct SchedulerLog {
    std::vector<LoggedGraph> graphs;  ///< unique graphs, in order of first appearance
    LogFacts facts;
    std::vector<LogNote> notes;  ///< the first kMaxRemarks of them
    std::size_t notes_total = 0;
    std::size_t graphs_total = 0;     ///< with repetitions
    std::size_t graphs_left_out = 0;  ///< unique graphs that were dropped
    std::size_t lines = 0;
    std::uint64_t bytes = 0;
    std::uint64_t memory = 0;  ///< approximate bytes of the graphs and their texts

    std::shared_ptr<const TextPool> texts;  ///< owns what the views refer to
};

/// Whether the text contains scheduler output.
bool is_scheduler_log(std::string_view text);

/// Parses scheduler debug output of any generation from a log. Accepts logger prefixes, colours, interleaved
/// output and logs truncated at either end. Never fails on content: unparsable lines become notes with line
/// numbers, and graphs that would take more than half of the memory bound are dropped unless the job lifts
/// it. Reports progress; cancellable.
SchedulerLog parse_scheduler_log(std::string_view text, const JobContext& job = {});

}  // namespace splitscope
