// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "backends/interface/machine.hpp"
#include "engine/support/name_pattern.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// What a breakpoint looks at.
enum class BreakpointKind : std::uint8_t {
    node,        ///< the node of this name
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
    std::string text;  ///< name, pattern, operation or backend; unused by not_finite
    bool enabled = true;
    std::uint64_t hits = 0;

    bool operator==(const Breakpoint&) const = default;
};

/// A breakpoint made ready for asking. Throws Error(usage) when its pattern or operation cannot be
/// understood.
class BreakpointMatcher {
 public:
    explicit BreakpointMatcher(const Breakpoint& breakpoint);

    /// Whether a node matches by what is known before it is computed. Never for not_finite.
    bool matches(const Tensor& node, const std::string& backend) const;
    /// Of a glob or a regular expression, else null.
    const NamePattern* pattern() const { return std::get_if<NamePattern>(&what_); }
    bool looks_at_values() const { return kind_ == BreakpointKind::not_finite; }

 private:
    BreakpointKind kind_;
    std::variant<std::monostate, std::string, NamePattern, Op> what_;
};

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
