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

/// A tensor as a scheduler log prints it (placement.md §11.2). The texts are those of the line, without their
/// padding; they live as long as the log they belong to.
struct LoggedTensor {
    std::string_view name;     ///< at most 20 bytes, cut
    std::string_view backend;  ///< at most 5 bytes, cut; "NULL" = the scheduler has no entry for it
    std::string_view cause;    ///< empty unless the program tracked causes
    std::uint64_t bytes = 0;   ///< as printed: whole KiB or MiB, rounded down

    friend bool operator==(const LoggedTensor&, const LoggedTensor&) = default;
};

struct LoggedNode {
    std::int64_t index = 0;  ///< position in the graph; views are not printed, so there are gaps
    std::string_view op;     ///< at most 10 bytes, cut
    LoggedTensor tensor;
    std::optional<std::int64_t> uses;
    std::optional<bool> computed;
    std::uint32_t first_source = 0;  ///< range in LoggedGraph::sources
    std::uint32_t source_count = 0;

    friend bool operator==(const LoggedNode&, const LoggedNode&) = default;
};

struct LoggedInput {
    std::string_view name;  ///< complete, but for what exceeds kMaxNameBytes
    std::uint64_t bytes = 0;

    friend bool operator==(const LoggedInput&, const LoggedInput&) = default;
};

struct LoggedSplit {
    std::int64_t number = 0;
    std::string_view backend;  ///< complete, but for what exceeds kMaxNameBytes
    std::int64_t declared_inputs = 0;
    std::vector<LoggedInput> inputs;  ///< fewer than declared when the line was cut
    std::size_t first_node = 0;       ///< range in LoggedGraph::nodes
    std::size_t node_count = 0;

    friend bool operator==(const LoggedSplit&, const LoggedSplit&) = default;
};

/// One graph the program scheduled, as printed. Identical ones are kept once.
struct LoggedGraph {
    std::vector<LoggedSplit> splits;
    std::vector<LoggedNode> nodes;
    std::vector<LoggedTensor> sources;
    bool starts_midway = false;  ///< its first split header is not number 0: the beginning is missing
    std::size_t line = 0;        ///< where it was printed first, from 1
    std::size_t times = 1;       ///< how often it was printed

    bool has_nodes() const { return !nodes.empty(); }
    bool has_causes() const;
    /// Same content, wherever it was printed.
    bool same_content(const LoggedGraph& other) const;
};

/// A line, or part of one, that was not understood.
struct LogNote {
    std::size_t line = 0;  ///< from 1
    Message what;
};

struct SchedulerLog {
    std::vector<LoggedGraph> graphs;  ///< distinct ones, in the order they were first printed
    LogFacts facts;
    std::vector<LogNote> notes;  ///< the first kMaxNotes of them
    std::size_t notes_total = 0;
    std::size_t graphs_total = 0;     ///< printed, repetitions included
    std::size_t graphs_left_out = 0;  ///< distinct ones beyond what is kept
    std::size_t lines = 0;
    std::uint64_t bytes = 0;
    std::uint64_t memory = 0;  ///< bytes that the graphs and their texts take, about

    std::shared_ptr<const TextPool> texts;  ///< owns what the views refer to

    static constexpr std::size_t kMaxNotes = 1000;
};

/// True when the text holds scheduler output.
bool is_scheduler_log(std::string_view text);

/// Reads the debug output of any generation out of a log: printed by a library or by a program whose logger
/// puts a prefix before every fragment, coloured, interleaved with other output, cut at either end. Nothing
/// in a log is an error: what was not understood is noted with its line, and graphs that would take more than
/// half of the memory bound of the text are left out, unless the job lifts it. Reports progress, stops on
/// request.
SchedulerLog parse_scheduler_log(std::string_view text, const JobContext& job = {});

}  // namespace splitscope
