// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "backends/interface/machine.hpp"
#include "engine/support/name_pattern.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope {

/// What a breakpoint looks at.
enum class BreakpointKind : std::uint8_t {
    node,        ///< one node by its identity (TensorIdentity::parse), or every node of a name
    glob,        ///< nodes whose name matches a glob
    regex,       ///< nodes whose name matches a regular expression
    op,          ///< nodes of this operation, e.g. MUL_MAT
    backend,     ///< nodes computed by the backend of this name
    not_finite,  ///< the first node with a NaN or an infinity
};

/// Where a debugged run stops: after a node that it matches was computed.
struct Breakpoint {
    int id = 0;
    BreakpointKind kind = BreakpointKind::node;
    std::string text;  ///< identity, name, pattern, operation or backend; unused by not_finite
    bool enabled = true;
    std::uint64_t hits = 0;

    bool operator==(const Breakpoint&) const = default;
};

/// A breakpoint made ready for asking. Throws Error(usage) when its pattern or operation cannot be
/// understood.
class BreakpointMatcher {
 public:
    explicit BreakpointMatcher(const Breakpoint& breakpoint);

    /// Whether a node matches by what is known of it alone. Never for not_finite, nor for node: which node an
    /// identity means, its graph says.
    bool matches(const Tensor& node, const std::string& backend) const;
    bool names_nodes() const { return kind_ == BreakpointKind::node; }
    /// Of a glob or a regular expression, else null.
    const NamePattern* pattern() const { return std::get_if<NamePattern>(&what_); }
    bool looks_at_values() const { return kind_ == BreakpointKind::not_finite; }

 private:
    BreakpointKind kind_;
    std::variant<std::monostate, std::string, NamePattern, Op> what_;
};

/// Whether a run can stop at a node: views and empty tensors compute nothing.
bool can_stop_at(const Tensor& node);

/// Where a run stops for a tensor: at the node itself, or for what is not computed (a view, a weight, an
/// input) at the first node that reads it, also through views. `order` holds the nodes in the order of
/// computing. None when nothing reads it. Linear.
TensorId stop_for(const Graph& graph, std::span<const TensorId> order, TensorId tensor);

/// Throws Error(usage) for a breakpoint that no run can hit: one on an operation that computes nothing.
void require_reachable(const Breakpoint& breakpoint);

/// What a list of breakpoints may hold together: 1000 of them, and patterns that stay quick to match.
class BreakpointBudget {
 public:
    static constexpr std::size_t kMost = 1000;

    /// Throws Error(usage) when it cannot be understood, or is too much.
    void add(const Breakpoint& breakpoint);

 private:
    std::size_t count_ = 0;
    PatternBudget patterns_;
};

}  // namespace splitscope
