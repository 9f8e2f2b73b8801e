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

/// A graph that a program computes, as it was recorded. Immutable.
struct AttachedGraph {
    int number = -1;           ///< the program's
    std::string purpose;       ///< "decode", "reserve" or "split"
    std::uint64_t tokens = 0;  ///< of its batch; 0 = not known
    Generation generation = Generation::g2026_08;
    std::string library;
    std::shared_ptr<const CapturedGraph> captured;
    std::shared_ptr<const Graph> graph;  ///< of `captured`
    std::shared_ptr<const TensorIdentities> identities;

    const std::string& backend_name(TensorId tensor) const;
    SplitId split_of(TensorId node) const;
    /// What it is by its shape: "prompt of 32 tokens", "token", "reserve".
    std::string title() const;
};

/// When a program under the debugger stands still: a breakpoint of the session, narrowed down.
struct StopCondition {
    Breakpoint breakpoint;
    std::optional<std::uint64_t> computation;  ///< the n-th graph that the program computes, from 1
    std::optional<std::size_t> split;
    std::optional<std::uint64_t> tokens;               ///< only in graphs of so many
    std::uint64_t ignored = 0;                         ///< hits that do not stop
    std::optional<std::pair<double, double>> outside;  ///< only when a value is not finite or not in between

    /// PATTERN[,op=OP][,backend=NAME][,split=N][,graph=N][,tokens=N][,hits=N][,outside=LOW..HIGH], where
    /// PATTERN is an identity, a name or a glob, or one of op=, backend= and not-finite alone. Throws
    /// Error(usage).
    static StopCondition parse(std::string_view text);
};

/// The nodes of a graph that a condition means, a bit each; none where it is switched off.
std::string nodes_wanted(const StopCondition& condition, const AttachedGraph& graph);

}  // namespace splitscope
