// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recorder/channel_protocol.hpp"

namespace splitscope::recorder {

/// A breakpoint in one graph.
struct StopRule {
    std::uint32_t breakpoint = 0;
    channel::Values values = channel::Values::any;
    double low = 0;
    double high = 0;
    std::uint64_t computation = 0;  ///< 0 = every computation
    std::uint64_t ignored = 0;      ///< hits to skip
    std::string nodes;              ///< a bit per node

    bool applies_to(std::uint64_t now) const { return computation == 0 || computation == now; }
    bool wants(int node) const {
        const auto place = static_cast<std::size_t>(node);
        return place / 8 < nodes.size() &&
               (static_cast<unsigned char>(nodes[place / 8]) >> (place % 8) & 1U) != 0;
    }
};

/// The breakpoints of one graph.
struct StopPlan {
    int graph = -1;
    std::uint32_t epoch = 0;
    std::vector<StopRule> rules;

    bool applies_to(std::uint64_t computation) const;
    bool wants(int node, std::uint64_t computation) const;
};

/// The plan in a message; empty if it is malformed.
std::optional<StopPlan> read_stop_plan(channel::BodyReader body);

}  // namespace splitscope::recorder
