// SPDX-License-Identifier: MIT
#include "engine/attach/stop_condition.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "engine/attach/messages.hpp"
#include "engine/execution/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/parse_number.hpp"

namespace splitscope {
namespace {

[[noreturn]] void refuse_condition(std::string_view text) {
    throw Error(ErrorKind::usage, msg::kNotCondition(text), msg::kPlaceCondition, msg::kWriteCondition);
}

template <class T>
T number_in(std::string_view text, std::string_view whole) {
    const auto value = parse_number<T>(text);
    if (!value) refuse_condition(whole);
    return *value;
}

/// Removes the text up to the next comma from `rest`.
std::string_view take_part(std::string_view& rest) {
    const auto end = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// Whether a part of a condition is KEY=VALUE; other names may contain a "=".
bool has_key(std::string_view part) {
    const auto middle = part.find('=');
    return middle != std::string_view::npos && middle > 0 &&
           std::ranges::all_of(part.substr(0, middle), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// The parts of a condition beyond a breakpoint.
bool narrow(StopCondition& condition, std::string_view key, std::string_view value, std::string_view whole) {
    if (key == "graph") {
        condition.breakpoint.computation = number_in<std::uint64_t>(value, whole);
        if (*condition.breakpoint.computation == 0) refuse_condition(whole);
    } else if (key == "split") {
        condition.breakpoint.split = number_in<std::size_t>(value, whole);
    } else if (key == "tokens") {
        condition.tokens = number_in<std::uint64_t>(value, whole);
        if (*condition.tokens == 0) refuse_condition(whole);
    } else if (key == "hits") {
        const auto hits = number_in<std::uint64_t>(value, whole);
        if (hits == 0) refuse_condition(whole);
        condition.breakpoint.ignored = hits - 1;
    } else if (key == "outside") {
        const auto middle = value.find("..");
        if (middle == std::string_view::npos) refuse_condition(whole);
        const auto low = number_in<double>(value.substr(0, middle), whole);
        const auto high = number_in<double>(value.substr(middle + 2), whole);
        // Neither of NaN.
        if (!(low <= high)) refuse_condition(whole);
        condition.breakpoint.outside.emplace(low, high);
    } else {
        return false;
    }
    return true;
}

}  // namespace

StopCondition StopCondition::parse(std::string_view text) {
    StopCondition condition;
    Breakpoint& breakpoint = condition.breakpoint;
    bool named = false;
    const auto name = [&](BreakpointKind kind, std::string_view what) {
        if (std::exchange(named, true) || (what.empty() && kind != BreakpointKind::not_finite)) {
            refuse_condition(text);
        }
        breakpoint.kind = kind;
        breakpoint.text = what;
    };
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = take_part(rest);
        const auto middle = part.find('=');
        const std::string_view key =
            middle == std::string_view::npos ? std::string_view() : part.substr(0, middle);
        const std::string_view value = middle == std::string_view::npos ? part : part.substr(middle + 1);
        if (narrow(condition, key, value, text)) continue;
        if (key == "op") {
            name(BreakpointKind::op, value);
        } else if (key == "backend") {
            name(BreakpointKind::backend, value);
        } else if (part == "not-finite") {
            name(BreakpointKind::not_finite, {});
        } else if (has_key(part)) {
            throw Error(ErrorKind::usage, msg::kUnknownConditionKey(key), msg::kPlaceCondition,
                        msg::kWriteCondition);
        } else if (part.find_first_of("*?[") != std::string_view::npos) {
            name(BreakpointKind::glob, part);
        } else {
            name(BreakpointKind::node, part);
        }
    }
    if (!named) {
        if (!condition.breakpoint.split && !condition.breakpoint.outside &&
            !condition.breakpoint.computation && !condition.tokens) {
            refuse_condition(text);
        }
        breakpoint.kind = BreakpointKind::glob;
        breakpoint.text = "*";
    }
    require_reachable(breakpoint);
    const BreakpointMatcher understood(breakpoint);
    return condition;
}

std::string limits_of(const Breakpoint& breakpoint) {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
    if (breakpoint.computation) add(fmt::format("graph={}", *breakpoint.computation));
    if (breakpoint.split) add(fmt::format("split={}", *breakpoint.split));
    if (breakpoint.ignored > 0) add(fmt::format("hits={}", breakpoint.ignored + 1));
    if (breakpoint.outside)
        add(fmt::format("outside={}..{}", breakpoint.outside->first, breakpoint.outside->second));
    return text;
}

Breakpoint with_limits(Breakpoint breakpoint, std::string_view limits) {
    StopCondition condition;
    std::string text(limits);
    std::erase(text, ' ');
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view part = take_part(rest);
        const auto middle = part.find('=');
        const bool known = middle != std::string_view::npos && part.substr(0, middle) != "tokens" &&
                           narrow(condition, part.substr(0, middle), part.substr(middle + 1), limits);
        if (!known) throw Error(ErrorKind::usage, msg::kNotRestriction(part), {}, msg::kWriteRestriction);
    }
    breakpoint.computation = condition.breakpoint.computation;
    breakpoint.split = condition.breakpoint.split;
    breakpoint.ignored = condition.breakpoint.ignored;
    breakpoint.outside = condition.breakpoint.outside;
    return breakpoint;
}

const std::string& AttachedGraph::backend_name(TensorId tensor) const {
    static const std::string kNone;
    const RecordedSchedule& recorded = captured->recorded;
    if (!tensor.valid() || tensor.index() >= recorded.backend.size()) return kNone;
    const BackendId backend = recorded.backend[tensor.index()];
    return backend.valid() && backend.index() < recorded.backends.size() ? recorded.backends[backend.index()]
                                                                         : kNone;
}

SplitId AttachedGraph::split_of(TensorId node) const {
    if (!node.valid() || node.index() < graph->leafs.size()) return {};
    const std::size_t position = node.index() - graph->leafs.size();
    const std::vector<Split>& splits = captured->recorded.splits;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        if (position >= splits[s].start && position < splits[s].end) return SplitId(s);
    }
    return {};
}

std::string AttachedGraph::title() const {
    if (tokens == 0) return purpose;
    return english(tokens == 1 ? Message(msg::kDecodeOfOne) : msg::kPromptOfTokens(tokens));
}

std::string nodes_wanted(const StopCondition& condition, const AttachedGraph& attached) {
    const Graph& graph = *attached.graph;
    std::string bits((graph.nodes.size() + 7) / 8, '\0');
    if (!condition.breakpoint.enabled) return bits;
    if (condition.tokens && *condition.tokens != attached.tokens) return bits;
    const auto want = [&](TensorId node) {
        if (!node.valid() || node.index() < graph.leafs.size()) return;
        const std::size_t position = node.index() - graph.leafs.size();
        if (position >= graph.nodes.size() || !can_stop_at(graph[node])) return;
        if (condition.breakpoint.split && attached.split_of(node) != SplitId(*condition.breakpoint.split))
            return;
        bits[position / 8] =
            static_cast<char>(static_cast<unsigned char>(bits[position / 8]) | (1U << (position % 8)));
    };
    const BreakpointMatcher matcher(condition.breakpoint);
    if (matcher.names_nodes()) {
        for (const TensorId tensor : attached.identities->all(condition.breakpoint.text)) {
            want(stop_for(graph, graph.nodes, tensor));
        }
        return bits;
    }
    for (const TensorId node : graph.nodes) {
        if (matcher.scans_values() || matcher.matches(graph[node], attached.backend_name(node))) want(node);
    }
    return bits;
}

}  // namespace splitscope
