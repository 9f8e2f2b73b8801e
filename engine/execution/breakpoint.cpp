// SPDX-License-Identifier: MIT
#include "engine/execution/breakpoint.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

Op op_called(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    if (const auto op = op_named(name)) return *op;
    throw Error(ErrorKind::usage, msg::kNoOperation(name), msg::kPlaceBreakpoint, msg::kUseOpName);
}

}  // namespace

BreakpointMatcher::BreakpointMatcher(const Breakpoint& breakpoint) : kind_(breakpoint.kind) {
    if (breakpoint.text.empty() && kind_ != BreakpointKind::not_finite) {
        throw Error(ErrorKind::usage, msg::kNothingToStopAt, msg::kPlaceBreakpoint, msg::kGivePattern);
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
        case BreakpointKind::backend:
            return backend == std::get<std::string>(what_);
        case BreakpointKind::glob:
        case BreakpointKind::regex:
            return std::get<NamePattern>(what_).matches(node.name);
        case BreakpointKind::op:
            return node.op == std::get<Op>(what_);
        case BreakpointKind::node:
        case BreakpointKind::not_finite:
            return false;
    }
    return false;
}

bool can_stop_at(const Tensor& node) {
    return node.op != Op::none && !is_view_op(node.op) && !is_empty(node);
}

TensorId stop_for(const Graph& graph, std::span<const TensorId> order, TensorId tensor) {
    if (!tensor.valid() || tensor.index() >= graph.tensors.size()) return {};
    if (can_stop_at(graph[tensor])) return tensor;
    // The tensor and its views.
    std::vector<bool> carries(graph.tensors.size());
    carries[tensor.index()] = true;
    for (const TensorId node : order) {
        const Tensor& t = graph[node];
        const bool reads = node != tensor && std::ranges::any_of(t.src, [&](TensorId source) {
                               return source.valid() && source != node && carries[source.index()];
                           });
        if (!reads) continue;
        if (can_stop_at(t)) return node;
        if (is_view_op(t.op)) carries[node.index()] = true;
    }
    return {};
}

std::vector<TensorId> named_stops(const TensorIdentities& identities, std::span<const TensorId> order,
                                  std::string_view text) {
    const Graph& graph = *identities.graph();
    const std::vector<TensorId> meant = identities.all(text);
    std::vector<TensorId> nodes;
    std::ranges::copy_if(meant, std::back_inserter(nodes),
                         [&](TensorId tensor) { return can_stop_at(graph[tensor]); });
    if (nodes.empty() && !meant.empty()) {
        const TensorId reader = stop_for(graph, order, meant.front());
        if (reader.valid()) nodes.push_back(reader);
    }
    return nodes;
}

void require_reachable(const Breakpoint& breakpoint) {
    if (breakpoint.kind != BreakpointKind::op) return;
    const Op op = op_called(breakpoint.text);
    if (op != Op::none && !is_view_op(op)) return;
    throw Error(ErrorKind::usage, msg::kOpComputesNothing(name_of(op)), msg::kPlaceBreakpoint,
                msg::kSetOnNode);
}

void BreakpointBudget::add(const Breakpoint& breakpoint) {
    const BreakpointMatcher understood(breakpoint);
    if (count_ == kMaxBreakpoints) {
        throw Error(ErrorKind::usage, msg::kTooManyBreakpoints(kMaxBreakpoints), msg::kPlaceBreakpoint,
                    msg::kRemoveBreakpoints);
    }
    if (understood.pattern() != nullptr) patterns_.add(*understood.pattern());
    ++count_;
}

}  // namespace splitscope
