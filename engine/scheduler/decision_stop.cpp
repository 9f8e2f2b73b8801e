// SPDX-License-Identifier: MIT
#include "engine/scheduler/decision_stop.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace splitscope {
namespace {

constexpr std::array<std::pair<StopKind, std::string_view>, 3> kNames{
    {{StopKind::tensor, "tensor"}, {StopKind::cause, "cause"}, {StopKind::backend, "backend"}}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// "1.wgt" also stands for "1.wgt0", "1.wgt1", …
bool is_label(std::string_view label, std::string_view wanted) {
    if (wanted.empty() || label.substr(0, wanted.size()) != wanted) return false;
    return label.size() == wanted.size() || (label.size() == wanted.size() + 1 && is_digit(label.back()));
}

bool any_stops_at(const Schedule& schedule, std::span<const DecisionStop> stops, const Decision& decision) {
    return std::any_of(stops.begin(), stops.end(),
                       [&](const DecisionStop& stop) { return stops_at(stop, schedule, decision); });
}

}  // namespace

std::string_view name_of(StopKind kind) {
    return kNames[static_cast<std::size_t>(kind)].second;
}

std::optional<StopKind> stop_kind_named(std::string_view name) {
    for (const auto& entry : kNames) {
        if (entry.second == name) return entry.first;
    }
    return std::nullopt;
}

bool stops_at(const DecisionStop& stop, const Schedule& schedule, const Decision& decision) {
    if (!stop.enabled) return false;
    switch (stop.kind) {
        case StopKind::tensor:
            return decision.to.valid() && schedule.tensor(decision.tensor).name == stop.text;
        case StopKind::cause:
            return is_label(label_of(decision.cause), stop.text);
        case StopKind::backend:
            return decision.to.valid() && decision.from != decision.to &&
                   schedule.machine->backends[decision.to.index()].name == stop.text;
    }
    return false;
}

std::optional<std::size_t> next_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                     std::size_t from, std::size_t to) {
    if (stops.empty()) return std::nullopt;
    const std::size_t end = std::min(to, schedule.decisions.size());
    for (std::size_t d = from; d < end; ++d) {
        if (any_stops_at(schedule, stops, schedule.decisions[d])) return d + 1;
    }
    return std::nullopt;
}

std::optional<std::size_t> previous_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                         std::size_t from) {
    if (stops.empty()) return std::nullopt;
    for (std::size_t d = std::min(from, schedule.decisions.size() + 1); d-- > 1;) {
        if (any_stops_at(schedule, stops, schedule.decisions[d - 1])) return d;
    }
    return std::nullopt;
}

}  // namespace splitscope
