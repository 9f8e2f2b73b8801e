// SPDX-License-Identifier: MIT
#include "engine/session/session_breakpoints.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/support/error.hpp"
#include "engine/support/name_pattern.hpp"

namespace splitscope {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::pair<BreakpointKind, std::string_view>, 6> kNames{
    {{BreakpointKind::node, "node"},
     {BreakpointKind::glob, "glob"},
     {BreakpointKind::regex, "regex"},
     {BreakpointKind::op, "op"},
     {BreakpointKind::backend, "backend"},
     {BreakpointKind::not_finite, "not-finite"}}};

Breakpoint read_one(const ordered_json& json, const std::string& at, PatternBudget& budget) {
    const auto refuse = [&at](std::string_view key, const char* what) {
        throw Error(ErrorKind::bad_file, what, fmt::format("{}/{}", at, key),
                    "write {\"kind\": \"glob\", \"text\": \"ffn_*\", \"enabled\": true}");
    };
    if (!json.is_object()) refuse("", "not an object");
    Breakpoint breakpoint;
    const auto kind = json.find("kind");
    const auto named = [&](const auto& entry) {
        return kind != json.end() && kind->is_string() && entry.second == kind->get<std::string>();
    };
    const auto found = std::find_if(kNames.begin(), kNames.end(), named);
    if (found == kNames.end()) refuse("kind", "not a kind of breakpoint");
    breakpoint.kind = found->first;
    if (const auto text = json.find("text"); text != json.end()) {
        if (!text->is_string()) refuse("text", "not a string");
        breakpoint.text = text->get<std::string>();
    }
    if (const auto enabled = json.find("enabled"); enabled != json.end()) {
        if (!enabled->is_boolean()) refuse("enabled", "not true or false");
        breakpoint.enabled = enabled->get<bool>();
    }
    try {
        const BreakpointMatcher understood(breakpoint);
        if (understood.pattern() != nullptr) budget.add(*understood.pattern());
    } catch (const Error& error) {
        refuse("text", error.problem().c_str());
    }
    return breakpoint;
}

}  // namespace

std::string_view name_of(BreakpointKind kind) {
    return std::find_if(kNames.begin(), kNames.end(),
                        [kind](const auto& entry) { return entry.first == kind; })
        ->second;
}

std::string with_breakpoints(std::string_view session_json, std::span<const Breakpoint> breakpoints) {
    if (breakpoints.empty()) return std::string(session_json);
    ordered_json json = ordered_json::parse(session_json);
    ordered_json list = ordered_json::array();
    for (const Breakpoint& breakpoint : breakpoints) {
        ordered_json entry;
        entry["kind"] = name_of(breakpoint.kind);
        if (breakpoint.kind != BreakpointKind::not_finite) entry["text"] = breakpoint.text;
        entry["enabled"] = breakpoint.enabled;
        list.push_back(std::move(entry));
    }
    json["breakpoints"] = std::move(list);
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<Breakpoint> breakpoints_in(std::string_view session_json, std::string_view source) {
    const ordered_json json = ordered_json::parse(session_json, nullptr, false);
    std::vector<Breakpoint> list;
    if (json.is_discarded() || !json.is_object() || !json.contains("breakpoints")) return list;
    const ordered_json& entries = json["breakpoints"];
    if (!entries.is_array()) {
        throw Error(ErrorKind::bad_file, "not a list", fmt::format("{}: /breakpoints", source),
                    "write a list here");
    }
    constexpr std::size_t kMostBreakpoints = 1000;
    if (entries.size() > kMostBreakpoints) {
        throw Error(ErrorKind::bad_file,
                    fmt::format("{} breakpoints, at most {} are possible", entries.size(), kMostBreakpoints),
                    fmt::format("{}: /breakpoints", source), "keep fewer of them");
    }
    PatternBudget budget;
    for (std::size_t i = 0; i < entries.size(); ++i)
        list.push_back(read_one(entries[i], fmt::format("{}: /breakpoints/{}", source, i), budget));
    return list;
}

}  // namespace splitscope
