// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
    std::optional<std::uint64_t> computation;  ///< only in the n-th graph that the program computes, from 1
    std::optional<std::size_t> split;
    std::optional<std::uint64_t> tokens;  ///< only in graphs of this batch size
    std::uint64_t ignored = 0;            ///< hits to skip
    std::optional<std::pair<double, double>>
        outside;  ///< only if a value is not finite or lies outside this range

    /// Syntax: PATTERN[,op=OP][,backend=NAME][,split=N][,graph=N][,tokens=N][,hits=N][,outside=LOW..HIGH].
    /// PATTERN is an identity, a name or a glob, or one of op=, backend= and not-finite. Throws Error(usage).
    static StopCondition parse(std::string_view text);
};

/// The nodes of a graph that a condition matches, one bit per node; none if it is disabled.
std::string nodes_wanted(const StopCondition& condition, const AttachedGraph& graph);

}  // namespace splitscope
