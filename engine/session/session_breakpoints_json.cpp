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
#include "engine/support/limits.hpp"

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

Breakpoint read_one(const JsonCursor& entry, BreakpointBudget& budget) {
    entry.require_members({"kind", "text", "enabled", "computation", "split", "ignored", "outside"});
    Breakpoint breakpoint;
    const std::string& kind = entry.at("kind").text();
    const auto found =
        std::ranges::find(kNames, std::string_view(kind), &decltype(kNames)::value_type::second);
    if (found == kNames.end()) {
        entry.at("kind").refuse(
            msg::kNotBreakpointKind,
            msg::kWriteBreakpoint(R"({"kind": "glob", "text": "ffn_*", "enabled": true})"));
    }
    breakpoint.kind = found->first;
    if (entry.has("text")) breakpoint.text = entry.at("text").text();
    if (entry.has("enabled")) breakpoint.enabled = entry.at("enabled").boolean();
    constexpr std::int64_t kMax = std::int64_t{1} << 53;
    const auto number = [&](std::string_view key, std::int64_t least) {
        return static_cast<std::uint64_t>(entry.at(key).integer_between(least, kMax));
    };
    if (entry.has("computation")) breakpoint.computation = number("computation", 1);
    if (entry.has("split")) breakpoint.split = number("split", 0);
    if (entry.has("ignored")) breakpoint.ignored = number("ignored", 0);
    if (entry.has("outside")) {
        constexpr double kAny = std::numeric_limits<double>::max();
        const JsonCursor range = entry.at("outside");
        range.require_members({"low", "high"});
        breakpoint.outside.emplace(range.at("low").number_between(-kAny, kAny),
                                   range.at("high").number_between(-kAny, kAny));
    }
    try {
        budget.add(breakpoint);
    } catch (const Error& error) {
        (entry.has("text") ? entry.at("text") : entry).refuse(error.problem(), error.remedy());
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

std::vector<Breakpoint> read_breakpoints(const JsonCursor& session) {
    std::vector<Breakpoint> list;
    if (!session.has("breakpoints")) return list;
    const JsonCursor entries = session.at("breakpoints");
    const std::size_t size = entries.size(kMaxBreakpoints);
    BreakpointBudget budget;
    for (std::size_t i = 0; i < size; ++i) list.push_back(read_one(entries.at(i), budget));
    return list;
}

}  // namespace splitscope::session_parts
