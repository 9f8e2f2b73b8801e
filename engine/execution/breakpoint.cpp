// SPDX-License-Identifier: MIT
#include "engine/execution/breakpoint.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "engine/support/error.hpp"

namespace splitscope {
namespace {

Op op_called(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    if (const auto op = op_named(name)) return *op;
    throw Error(ErrorKind::usage, fmt::format("there is no operation '{}'", name), "breakpoint",
                "use a name such as MUL_MAT");
}

}  // namespace

BreakpointMatcher::BreakpointMatcher(const Breakpoint& breakpoint) : kind_(breakpoint.kind) {
    if (breakpoint.text.empty() && kind_ != BreakpointKind::not_finite) {
        throw Error(ErrorKind::usage, "it says nothing to stop at", "breakpoint",
                    "give a name, a pattern or an operation");
    }
    switch (kind_) {
        case BreakpointKind::node:
        case BreakpointKind::backend:
            what_ = breakpoint.text;
            break;
        case BreakpointKind::glob:
            what_ = NamePattern::glob(breakpoint.text);
            break;
        case BreakpointKind::regex:
            what_ = NamePattern::regex(breakpoint.text);
            break;
        case BreakpointKind::op:
            what_ = op_called(breakpoint.text);
            break;
        case BreakpointKind::not_finite:
            break;
    }
}

bool BreakpointMatcher::matches(const Tensor& node, const std::string& backend) const {
    switch (kind_) {
        case BreakpointKind::node:
            return node.name == std::get<std::string>(what_);
        case BreakpointKind::backend:
            return backend == std::get<std::string>(what_);
        case BreakpointKind::glob:
        case BreakpointKind::regex:
            return std::get<NamePattern>(what_).matches(node.name);
        case BreakpointKind::op:
            return node.op == std::get<Op>(what_);
        case BreakpointKind::not_finite:
            return false;
    }
    return false;
}

void BreakpointBudget::add(const Breakpoint& breakpoint) {
    const BreakpointMatcher understood(breakpoint);
    if (count_ == kMost) {
        throw Error(ErrorKind::usage, fmt::format("more than {} breakpoints", kMost), "breakpoint",
                    "remove some of them first");
    }
    if (understood.pattern() != nullptr) patterns_.add(*understood.pattern());
    ++count_;
}

}  // namespace splitscope
