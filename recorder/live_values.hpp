// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "recorder/channel_protocol.hpp"
#include "recorder/graph_snapshot.hpp"
#include "recorder/real_functions.hpp"
#include "recorder/scan_values.hpp"
#include "recorder/stop_plan.hpp"
#include "recorder/watched_scheduler.hpp"

namespace splitscope::recorder {

/// Values of a paused program's tensors.
class LiveValues {
 public:
    /// `at`: the paused scheduler; null while the program runs, when no tensor is known.
    LiveValues(const Api& api, const TensorLayout& layout, const WatchedScheduler* at)
        : api_(api), layout_(layout), at_(at) {}

    const Api& api() const { return api_; }
    const TensorLayout& layout() const { return layout_; }
    /// The tensor as it is now; empty if its memory cannot be read.
    std::optional<TensorFacts> readable(TensorPtr tensor) const;
    /// Views use the buffer of the tensor whose memory they share.
    Buffer buffer_of(const TensorFacts& now) const;

    /// Whether a breakpoint applies to the values of a node that was just computed.
    bool meet(const StopRule& rule, int node) const;

    // Replies to requests; empty if the request is malformed.
    std::optional<std::string> read(channel::BodyReader request) const;
    std::optional<std::string> write(channel::BodyReader request) const;
    std::optional<std::string> examine(channel::BodyReader request) const;

 private:
    const TensorFacts* tensor(std::int32_t number) const;
    bool has_memory(const TensorFacts& now) const { return now.data != 0 && buffer_of(now) != nullptr; }
    bool is_repacked(const TensorFacts& now) const;
    /// Validity of a tensor's values, and the tensor that reused its memory.
    std::pair<channel::Status, int> state_of(int tensor) const;
    ValueStatistics scan(const TensorFacts& now) const;

    const Api& api_;
    const TensorLayout& layout_;
    const WatchedScheduler* at_;
};

}  // namespace splitscope::recorder
