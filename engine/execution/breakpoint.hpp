// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/support/name_pattern.hpp"
#include "engine/tensor/graph.hpp"
#include "engine/tensor/tensor_identity.hpp"

namespace splitscope {

/// What a breakpoint matches.
enum class BreakpointKind : std::uint8_t {
    node,        ///< one node by its identity (TensorIdentity::parse), or every node of a name
    glob,        ///< nodes whose name matches a glob
    regex,       ///< nodes whose name matches a regular expression
    op,          ///< nodes of this operation, e.g. MUL_MAT
    backend,     ///< nodes computed by the backend of this name
    not_finite,  ///< the first node with a NaN or an infinity
};

/// Stops a debugged run after a matching node has been computed.
struct Breakpoint {
    int id = 0;
    BreakpointKind kind = BreakpointKind::node;
    std::string text;  ///< identity, name, pattern, operation or backend; unused by not_finite
    bool enabled = true;
    std::uint64_t hits = 0;  ///< stops, also those where an earlier breakpoint is the reason
    std::optional<std::uint64_t> computation = std::nullopt;  ///< only in the n-th graph computed, from 1
    std::optional<std::size_t> split = std::nullopt;          ///< only in this split
    std::uint64_t ignored = 0;                                ///< matches that do not stop
    /// Only when a value is not finite or not in between.
    std::optional<std::pair<double, double>> outside = std::nullopt;

    bool operator==(const Breakpoint&) const = default;
};

/// A breakpoint compiled for matching. Throws Error(usage) if its pattern or operation is invalid.
class BreakpointMatcher {
 public:
    explicit BreakpointMatcher(const Breakpoint& breakpoint);

    /// Whether a node matches by its name, operation and backend. Always false for not_finite, which needs
    /// values, and for node, which needs the graph.
    bool matches(const Tensor& node, const std::string& backend) const;
    bool names_nodes() const { return kind_ == BreakpointKind::node; }
    /// The pattern of a glob or regular expression, else null.
    const NamePattern* pattern() const { return std::get_if<NamePattern>(&what_); }
    bool scans_values() const { return kind_ == BreakpointKind::not_finite; }

 private:
    BreakpointKind kind_;
    std::variant<std::monostate, std::string, NamePattern, Op> what_;
};

/// Whether a run can stop at a node. Views and empty tensors are not computed.
bool can_stop_at(const Tensor& node);

/// The node at which a run stops for a tensor: the tensor itself if it is computed, else (view, weight,
/// input) the first node that reads it, directly or through views. `order` lists the nodes in execution
/// order. None if no node reads it. O(n).
TensorId stop_for(const Graph& graph, std::span<const TensorId> order, TensorId tensor);

/// The nodes at which BreakpointKind::node stops, sorted: those that the text means, or if none of them is
/// computed, the first that reads one.
std::vector<TensorId> named_stops(const TensorIdentities& identities, std::span<const TensorId> order,
                                  std::string_view text);

/// Throws Error(usage) for a breakpoint that can never be hit, such as one on a view operation.
void require_reachable(const Breakpoint& breakpoint);

/// Limits for a list of breakpoints: at most kMaxBreakpoints, and bounded total pattern size.
class BreakpointBudget {
 public:
    /// Throws Error(usage) if the breakpoint is invalid or exceeds the limits.
    void add(const Breakpoint& breakpoint);

 private:
    std::size_t count_ = 0;
    PatternBudget patterns_;
};

}  // namespace splitscope
