// SPDX-License-Identifier: MIT
#include "engine/session/session_breakpoints_json.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope::session_parts {
namespace {

constexpr std::array<std::pair<BreakpointKind, std::string_view>, 6> kNames{
    {{BreakpointKind::node, "node"},
     {BreakpointKind::glob, "glob"},
     {BreakpointKind::regex, "regex"},
     {BreakpointKind::op, "op"},
     {BreakpointKind::backend, "backend"},
     {BreakpointKind::not_finite, "not-finite"}}};

std::string_view name_of(BreakpointKind kind) {
    return std::ranges::find(kNames, kind, &decltype(kNames)::value_type::first)->second;
}

Breakpoint read_one(const ObjectReader& entry, BreakpointBudget& budget) {
    Breakpoint breakpoint;
    const std::string kind = entry.text("kind");
    const auto found =
        std::ranges::find(kNames, std::string_view(kind), &decltype(kNames)::value_type::second);
    if (found == kNames.end()) {
        entry.refuse("kind", msg::kNotBreakpointKind,
                     msg::kWriteBreakpoint(R"({"kind": "glob", "text": "ffn_*", "enabled": true})"));
    }
    breakpoint.kind = found->first;
    if (entry.has("text")) breakpoint.text = entry.text("text");
    if (entry.has("enabled")) breakpoint.enabled = entry.boolean("enabled");
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    if (entry.has("computation"))
        breakpoint.computation = static_cast<std::uint64_t>(entry.integer("computation", 1, kMax));
    if (entry.has("split")) breakpoint.split = static_cast<std::size_t>(entry.integer("split", 0, kMax));
    if (entry.has("ignored"))
        breakpoint.ignored = static_cast<std::uint64_t>(entry.integer("ignored", 0, kMax));
    if (entry.has("outside")) {
        constexpr double kAny = std::numeric_limits<double>::max();
        const ObjectReader range = entry.object("outside");
        breakpoint.outside.emplace(range.number("low", -kAny, kAny), range.number("high", -kAny, kAny));
    }
    try {
        budget.add(breakpoint);
    } catch (const Error& error) {
        entry.refuse("text", error.problem(), error.remedy());
    }
    return breakpoint;
}

}  // namespace

void write_breakpoints(JsonWriter& json, std::span<const Breakpoint> breakpoints) {
    if (breakpoints.empty()) return;
    json.objects("breakpoints", breakpoints, [&](const Breakpoint& breakpoint) {
        json.member("kind", name_of(breakpoint.kind));
        if (breakpoint.kind != BreakpointKind::not_finite) json.member("text", breakpoint.text);
        json.member("enabled", breakpoint.enabled);
        if (breakpoint.computation) json.member("computation", *breakpoint.computation);
        if (breakpoint.split) json.member("split", *breakpoint.split);
        if (breakpoint.ignored > 0) json.member("ignored", breakpoint.ignored);
        if (!breakpoint.outside) return;
        json.object("outside", [&] {
            json.member("low", breakpoint.outside->first);
            json.member("high", breakpoint.outside->second);
        });
    });
}

std::vector<Breakpoint> read_breakpoints(const ObjectReader& session) {
    std::vector<Breakpoint> list;
    if (!session.has("breakpoints")) return list;
    const std::size_t size = session.array("breakpoints", BreakpointBudget::kMax).size();
    BreakpointBudget budget;
    for (std::size_t i = 0; i < size; ++i)
        list.push_back(read_one(session.element("breakpoints", i), budget));
    return list;
}

}  // namespace splitscope::session_parts
