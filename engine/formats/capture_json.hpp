// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/interface/machine.hpp"
#include "engine/messages/message.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/support/generation.hpp"
#include "engine/support/job.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// Time spent in the calls that compute a split. An asynchronous device may still compute when its call
/// returns.
struct SplitTiming {
    std::size_t split = 0;
    std::size_t times = 0;
    std::uint64_t total_ns = 0;
    std::uint64_t shortest_ns = 0;
};

/// A graph as a program passed it to its scheduler, with the recorded decisions.
struct CapturedGraph {
    std::string purpose;  ///< "decode", "reserve", or "split" when it was only split
    std::size_t times = 1;
    Graph graph;
    Machine machine;  ///< with the answers of the real backends
    RecordedSchedule recorded;
    std::vector<SplitTiming> timings;
    std::vector<Message> remarks;
};

/// The result of `splitscope record`.
struct Capture {
    std::string program;
    std::string library;  ///< version of the program's ggml libraries
    Generation generation = Generation::g2026_08;
    std::vector<CapturedGraph> graphs;
    std::vector<Message> remarks;  ///< what could not be recorded

    /// The graph shown by default: the last one that was computed, else the last one.
    std::size_t main_graph() const;
};

/// Looks for the format name at the start of the document.
bool is_capture_json(std::string_view text);

/// Reads a `splitscope-capture` document (`*.capture.json`). Throws Error(bad_file) with the JSON pointer of
/// the bad value.
Capture parse_capture_json(std::string_view text, std::string_view source = "capture",
                           const JobContext& job = {});

std::string write_capture_json(const Capture& capture);

}  // namespace splitscope
