// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/execution/breakpoint.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {

/// A graph that a program computes, with its recording. Immutable.
struct AttachedGraph {
    int number = -1;           ///< assigned by the program
    std::string purpose;       ///< "decode", "reserve" or "split"
    std::uint64_t tokens = 0;  ///< batch size; 0 = unknown
    Generation generation = Generation::g2026_08;
    std::string library;
    std::shared_ptr<const CapturedGraph> captured;
    std::shared_ptr<const Graph> graph;  ///< of `captured`
    std::shared_ptr<const TensorIdentities> identities;

    const std::string& backend_name(TensorId tensor) const;
    SplitId split_of(TensorId node) const;
    /// Describes the graph by its shape: "prompt of 32 tokens", "token", "reserve".
    std::string title() const;
};

/// A breakpoint for an attached program: a breakpoint of the session with further conditions.
struct StopCondition {
    Breakpoint breakpoint;
    std::optional<std::uint64_t> tokens;  ///< only in graphs of this batch size

    /// Syntax: PATTERN[,op=OP][,backend=NAME][,split=N][,graph=N][,tokens=N][,hits=N][,outside=LOW..HIGH].
    /// PATTERN is an identity, a name or a glob, or one of op=, backend= and not-finite. Throws Error(usage).
    static StopCondition parse(std::string_view text);
};

/// The restrictions of a breakpoint in the syntax of parse(), such as "graph=3,hits=2"; empty if there are
/// none.
std::string limits_of(const Breakpoint& breakpoint);
/// The breakpoint with other restrictions. Throws Error(usage).
Breakpoint with_limits(Breakpoint breakpoint, std::string_view limits);

/// The nodes of a graph that a condition matches, one bit per node; none if it is disabled.
std::string nodes_wanted(const StopCondition& condition, const AttachedGraph& graph);

}  // namespace splitscope
