// SPDX-License-Identifier: MIT
#include "engine/planning/fit_rates.hpp"

#include <algorithm>

namespace splitscope {
namespace {

void scale_memory(DeviceFacts& facts, double factor) {
    facts.memory_bandwidth *= factor;
    for (auto& [type, rate] : facts.weight_bandwidth) rate *= factor;
}

/// If even no overhead is too slow, the isolated products were slower than those of the model.
void fit_overhead(DeviceFacts& facts, const TimedDecode& decode) {
    if (decode.nodes == 0) return;
    const double more = (decode.seconds - decode.estimated(facts)) / static_cast<double>(decode.nodes);
    facts.node_seconds = std::max(0.0, facts.node_seconds + more);
    if (facts.node_seconds == 0) scale_memory(facts, std::max(1.0, decode.estimated(facts) / decode.seconds));
}

/// Only the time beyond the overhead depends on the memory rates. False if that is too little to know them.
bool fit_memory(DeviceFacts& facts, const TimedDecode& decode) {
    const double overhead = facts.node_seconds * static_cast<double>(decode.nodes);
    const double estimated = decode.estimated(facts) - overhead;
    const double measured = decode.seconds - overhead;
    constexpr double kFewest = 0.25;
    if (std::min(estimated, measured) < kFewest * decode.seconds) return false;
    scale_memory(facts, estimated / measured);
    return true;
}

}  // namespace

double without_sending(double whole, double sending) {
    return std::max(whole - sending, 0.5 * whole);
}

void fit_rates(DeviceFacts& facts, const TimedDecode* small, const TimedDecode* large) {
    if (small == nullptr && large != nullptr) {
        small = large;
        large = nullptr;
    }
    // Each changes the estimate of the other a little.
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
        if (small != nullptr) fit_overhead(facts, *small);
        if (large != nullptr && !fit_memory(facts, *large)) {
            small = large;
            fit_overhead(facts, *small);
        }
    }
}

}  // namespace splitscope
