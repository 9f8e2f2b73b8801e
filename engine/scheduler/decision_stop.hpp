// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// What a decision breakpoint matches.
enum class StopKind : std::uint8_t {
    tensor,   ///< this tensor (TensorIdentity::parse), or one of this name, is assigned
    cause,    ///< the cause has this label, e.g. "3.upg"; "1.wgt" stands for every source
    backend,  ///< a tensor is assigned to the backend of this name
};

/// Stable name for files: "tensor", "cause", "backend".
std::string_view name_of(StopKind kind);
std::optional<StopKind> stop_kind_named(std::string_view name);

/// A decision breakpoint. It refers to names, which survive edits of graph and machine; an unknown name never
/// matches.
struct DecisionStop {
    StopKind kind = StopKind::tensor;
    std::string text;
    bool enabled = true;
    friend bool operator==(const DecisionStop&, const DecisionStop&) = default;
};

/// Whether an enabled breakpoint matches this decision of the schedule.
bool stops_at(const DecisionStop& stop, const Schedule& schedule, const Decision& decision);

/// The position after the next matching decision in (from, to], where a position is a number of applied
/// decisions; none if there is no match. O(decisions in range).
std::optional<std::size_t> next_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                     std::size_t from, std::size_t to);
/// The last such position before `from`.
std::optional<std::size_t> previous_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                         std::size_t from);

}  // namespace splitscope
