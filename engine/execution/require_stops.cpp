// SPDX-License-Identifier: MIT
#include "engine/execution/require_stops.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/execution/execution.hpp"
#include "engine/execution/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/nearest_name.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kMaxNames = 3;

/// The splits of the nodes that match, in execution order.
std::vector<std::size_t> splits_of(const Breakpoint& breakpoint, const Schedule& schedule,
                                   const TensorIdentities& identities) {
    const std::vector<TensorId> order = nodes_in_order(schedule);
    const BreakpointMatcher matcher(breakpoint);
    const std::vector<TensorId> named =
        matcher.names_nodes() ? named_stops(identities, order, breakpoint.text) : std::vector<TensorId>();
    std::vector<std::size_t> splits;
    for (std::size_t p = 0; p < order.size(); ++p) {
        const Tensor& node = (*schedule.graph)[order[p]];
        if (!can_stop_at(node)) continue;
        const auto backend = [&] {
            return schedule.machine->backends[schedule.backend[order[p].index()].index()].name;
        };
        const bool matches =
            matcher.scans_values() || (matcher.names_nodes() ? std::ranges::binary_search(named, order[p])
                                                             : matcher.matches(node, backend()));
        const std::size_t split = schedule.split_of_position(p).index();
        if (matches && (splits.empty() || splits.back() != split)) splits.push_back(split);
    }
    return splits;
}

/// The names among which the breakpoint's was not found.
std::set<std::string> known_names(const Breakpoint& breakpoint, const Schedule& schedule,
                                  const TensorIdentities& identities) {
    std::set<std::string> names;
    if (breakpoint.kind == BreakpointKind::backend) {
        for (const MachineBackend& backend : schedule.machine->backends) names.insert(backend.name);
        return names;
    }
    const bool with_op = breakpoint.text.find('@') != std::string::npos;
    for (const TensorId node : nodes_in_order(schedule)) {
        const Tensor& tensor = (*schedule.graph)[node];
        if (!can_stop_at(tensor)) continue;
        names.insert(breakpoint.kind == BreakpointKind::op ? std::string(name_of(tensor.op))
                     : with_op                             ? text_of(identities.of(node))
                                                           : tensor.name);
    }
    return names;
}

Message nearest_names(const Breakpoint& breakpoint, const Schedule& schedule,
                      const TensorIdentities& identities) {
    const std::vector<std::string> names =
        most_similar_names(known_names(breakpoint, schedule, identities), breakpoint.text, kMaxNames);
    return names.empty() ? Message(msg::kChooseNode)
                         : msg::kMostSimilarNames(fmt::format("{}", fmt::join(names, ", ")));
}

}  // namespace

bool can_stop(const Breakpoint& breakpoint, const Schedule& schedule, const TensorIdentities& identities) {
    const std::vector<std::size_t> splits = splits_of(breakpoint, schedule, identities);
    return breakpoint.split ? std::ranges::find(splits, *breakpoint.split) != splits.end() : !splits.empty();
}

void require_stops(const Breakpoint& breakpoint, const Schedule& schedule,
                   const TensorIdentities& identities) {
    std::vector<std::size_t> splits = splits_of(breakpoint, schedule, identities);
    if (splits.empty()) {
        if (breakpoint.kind == BreakpointKind::node && !identities.all(breakpoint.text).empty()) {
            throw Error(ErrorKind::unknown, msg::kNotComputedNorRead, breakpoint.text, msg::kChooseNode);
        }
        throw Error(ErrorKind::unknown, msg::kNoNodeMatches(breakpoint.text), msg::kPlaceBreakpoint,
                    nearest_names(breakpoint, schedule, identities));
    }
    if (!breakpoint.split || std::ranges::find(splits, *breakpoint.split) != splits.end()) return;
    splits.resize(std::min(splits.size(), kMaxNames));
    throw Error(ErrorKind::unknown, msg::kNoNodeInSplit(breakpoint.text, *breakpoint.split),
                msg::kPlaceBreakpoint, msg::kChooseSplit(fmt::format("{}", fmt::join(splits, ", "))));
}

}  // namespace splitscope
