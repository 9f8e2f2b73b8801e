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

/// What a breakpoint on decisions waits for.
enum class StopKind : std::uint8_t {
    tensor,   ///< a backend is given to this tensor (TensorIdentity::parse), or to one of this name
    cause,    ///< the cause has this label, e.g. "3.upg"; "1.wgt" stands for every source
    backend,  ///< something moves to the backend of this name
};

/// Stable name of a kind in files: "tensor", "cause", "backend".
std::string_view name_of(StopKind kind);
std::optional<StopKind> stop_kind_named(std::string_view name);

/// A breakpoint on decisions. Names survive an edit of the graph or the machine; one that nothing bears any
/// more never stops.
struct DecisionStop {
    StopKind kind = StopKind::tensor;
    std::string text;
    bool enabled = true;
    friend bool operator==(const DecisionStop&, const DecisionStop&) = default;
};

/// True when the stop waits for this decision of the schedule. Disabled stops wait for nothing.
bool stops_at(const DecisionStop& stop, const Schedule& schedule, const Decision& decision);

/// The position right after the next decision in (from, to] that a stop waits for, where positions count the
/// decisions applied; none when there is no such decision. Linear in the decisions looked at.
std::optional<std::size_t> next_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                     std::size_t from, std::size_t to);
/// The last such position before `from`.
std::optional<std::size_t> previous_stop(const Schedule& schedule, std::span<const DecisionStop> stops,
                                         std::size_t from);

}  // namespace splitscope
