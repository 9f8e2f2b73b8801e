// SPDX-License-Identifier: MIT
#include "engine/planning/fit_rates.hpp"

#include <algorithm>
#include <utility>

namespace splitscope {
namespace {

/// The memory rates of a device, scaled together relative to those measured.
class MemoryRates {
 public:
    explicit MemoryRates(DeviceFacts& facts) : facts_(facts), measured_(facts) {}

    void scale(double factor) {
        factor_ = factor;
        facts_.memory_bandwidth = factor * measured_.memory_bandwidth;
        for (auto& [type, rate] : facts_.weight_bandwidth)
            rate = factor * measured_.weight_bandwidth.at(type);
    }

    /// Matches the estimate to a decode. False, without changing the rates, if memory cannot make it so fast:
    /// only a part of the estimate depends on it.
    bool match(const TimedDecode& decode, double least) {
        const double before = factor_;
        const auto estimated = [&](double factor) {
            scale(factor);
            return decode.estimated(facts_);
        };
        double low = least;
        double high = kMostMemoryFactor;
        if (estimated(high) > decode.seconds) {
            scale(before);
            return false;
        }
        if (estimated(low) <= decode.seconds) return true;
        constexpr int kHalvings = 24;
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = (low + high) / 2;
            (estimated(middle) > decode.seconds ? low : high) = middle;
        }
        scale(high);
        return true;
    }

    double factor() const { return factor_; }

 private:
    DeviceFacts& facts_;
    const DeviceFacts measured_;
    double factor_ = 1;
};

/// If even no overhead is too slow, the isolated products were slower than those of the model.
void fit_overhead(DeviceFacts& facts, MemoryRates& memory, const TimedDecode& decode) {
    if (decode.nodes == 0) return;
    const double more = (decode.seconds - decode.estimated(facts)) / static_cast<double>(decode.nodes);
    facts.node_seconds = std::max(0.0, facts.node_seconds + more);
    if (facts.node_seconds == 0) memory.match(decode, memory.factor());
}

/// Only the time beyond the overhead depends on the memory rates. False if that is too little to know them.
bool fit_memory(DeviceFacts& facts, MemoryRates& memory, const TimedDecode& decode) {
    const double overhead = facts.node_seconds * static_cast<double>(decode.nodes);
    const double estimated = decode.estimated(facts) - overhead;
    const double measured = decode.seconds - overhead;
    constexpr double kFewest = 0.25;
    if (std::min(estimated, measured) < kFewest * decode.seconds) return false;
    memory.match(decode, 1 / kMostMemoryFactor);
    return true;
}

}  // namespace

double without_sending(double whole, double sending) {
    return std::max(whole - sending, 0.5 * whole);
}

bool fit_rates(DeviceFacts& facts, const TimedDecode* small, const TimedDecode* large) {
    const TimedDecode* const matched = large != nullptr ? large : small;
    if (matched == nullptr) return true;
    if (small == nullptr) std::swap(small, large);
    MemoryRates memory(facts);
    // Each changes the estimate of the other a little.
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round) {
        if (small != nullptr) fit_overhead(facts, memory, *small);
        if (large != nullptr && !fit_memory(facts, memory, *large)) {
            small = large;
            fit_overhead(facts, memory, *small);
        }
    }
    constexpr double kClose = 1.25;
    const double estimated = matched->estimated(facts);
    return estimated <= kClose * matched->seconds && matched->seconds <= kClose * estimated;
}

}  // namespace splitscope
