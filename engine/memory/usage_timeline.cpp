// SPDX-License-Identifier: MIT
#include "engine/memory/usage_timeline.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace splitscope {
namespace {

NodePosition position_of(std::size_t node) {
    return node == kBeforeNodes ? kBeforeFirstNode : static_cast<NodePosition>(node);
}

/// Processes the events of one buffer.
class BufferFollower {
 public:
    explicit BufferFollower(BufferTimeline timeline) : timeline_(std::move(timeline)) {}

    void allocate(const AllocationEvent& event, std::size_t index) { open(event, index, false); }

    void reuse(const AllocationEvent& event, std::size_t index) {
        enter(position_of(event.node));
        close(event.reused_from, position_of(event.node), index);
        open(event, index, true);
    }

    void free(const AllocationEvent& event, std::size_t index) {
        enter(position_of(event.node));
        close(event.tensor, position_of(event.node), index);
    }

    BufferTimeline finish(NodePosition last_node) {
        for (const auto& [tensor, block] : live_) timeline_.blocks[block].last = last_node;
        for (std::size_t i = 0; i < timeline_.blocks.size(); ++i) {
            if (lives_[i].begin <= peak_event_ && peak_event_ < lives_[i].end)
                timeline_.live_at_peak.push_back(i);
        }
        const auto larger = [&](std::size_t a, std::size_t b) {
            return timeline_.blocks[a].size > timeline_.blocks[b].size;
        };
        std::stable_sort(timeline_.live_at_peak.begin(), timeline_.live_at_peak.end(), larger);
        return std::move(timeline_);
    }

 private:
    /// The event range of a block's lifetime.
    struct Life {
        std::size_t begin = 0;
        std::size_t end = static_cast<std::size_t>(-1);
    };

    UsageStep& enter(NodePosition node) {
        if (timeline_.steps.empty() || timeline_.steps.back().node != node) {
            const std::uint64_t end = ends_.empty() ? 0 : *ends_.rbegin();
            timeline_.steps.push_back({node, in_use_, in_use_, end});
        }
        return timeline_.steps.back();
    }

    void open(const AllocationEvent& event, std::size_t index, bool in_place) {
        const NodePosition node = position_of(event.node);
        enter(node);
        close(event.tensor, node, index);
        timeline_.blocks.push_back(
            {event.tensor, event.place.offset, event.place.size, node, node, in_place});
        lives_.push_back({index, static_cast<std::size_t>(-1)});
        live_[event.tensor] = timeline_.blocks.size() - 1;
        in_use_ += event.place.size;
        ends_.insert(event.place.offset + event.place.size);

        UsageStep& step = enter(node);
        step.bytes = std::max(step.bytes, in_use_);
        step.bytes_after = in_use_;
        step.highest_end = std::max(step.highest_end, *ends_.rbegin());
        if (in_use_ > timeline_.peak_bytes) {
            timeline_.peak_bytes = in_use_;
            timeline_.peak_node = node;
            peak_event_ = index;
        }
    }

    void close(TensorId tensor, NodePosition node, std::size_t index) {
        const auto found = live_.find(tensor);
        if (found == live_.end()) return;
        MemoryBlock& block = timeline_.blocks[found->second];
        block.last = std::max(block.first, node);
        lives_[found->second].end = index;
        in_use_ -= block.size;
        ends_.erase(ends_.find(block.offset + block.size));
        live_.erase(found);
        if (!timeline_.steps.empty()) timeline_.steps.back().bytes_after = in_use_;
    }

    BufferTimeline timeline_;
    std::vector<Life> lives_;  // same order as timeline_.blocks
    std::unordered_map<TensorId, std::size_t> live_;
    std::multiset<std::uint64_t> ends_;
    std::uint64_t in_use_ = 0;
    std::size_t peak_event_ = static_cast<std::size_t>(-1);
};

}  // namespace

std::vector<BufferTimeline> usage_timelines(const AllocationPlan& plan) {
    using Key = std::pair<std::int32_t, std::int32_t>;  // position, chunk
    std::map<Key, BufferFollower> followers;
    const auto follower_of = [&](BufferPosition buffer, std::int32_t chunk) -> BufferFollower& {
        if (buffer.valid() && buffer.index() < plan.buffers.size()) {
            const BufferPosition shared = plan.buffers[buffer.index()].shared_with;
            if (shared.valid()) buffer = shared;
        }
        const Key key{buffer.value, chunk};
        const auto found = followers.find(key);
        if (found != followers.end()) return found->second;
        BufferTimeline timeline;
        timeline.buffer = buffer;
        timeline.chunk = chunk;
        return followers.emplace(key, BufferFollower(std::move(timeline))).first->second;
    };

    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const auto& info = plan.buffers[i];
        if (info.shared_with.valid()) continue;
        const std::size_t chunks = std::max<std::size_t>(1, info.chunk_sizes.size());
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            follower_of(BufferPosition(i), static_cast<std::int32_t>(chunk));
        }
    }

    NodePosition last_node = kBeforeFirstNode;
    for (std::size_t i = 0; i < plan.events.size(); ++i) {
        const AllocationEvent& event = plan.events[i];
        last_node = std::max(last_node, position_of(event.node));
        BufferFollower& follower = follower_of(event.place.buffer, event.place.chunk);
        switch (event.kind) {
            case AllocationEventKind::allocate:
                follower.allocate(event, i);
                break;
            case AllocationEventKind::reuse_in_place:
                follower.reuse(event, i);
                break;
            case AllocationEventKind::free:
                follower.free(event, i);
                break;
        }
    }

    std::vector<BufferTimeline> timelines;
    timelines.reserve(followers.size());
    for (auto& [key, follower] : followers) {
        BufferTimeline timeline = follower.finish(last_node);
        if (timeline.buffer.valid() && timeline.buffer.index() < plan.buffers.size()) {
            const auto& info = plan.buffers[timeline.buffer.index()];
            const auto chunk = static_cast<std::size_t>(timeline.chunk);
            timeline.size = chunk < info.chunk_sizes.size() ? info.chunk_sizes[chunk] : info.size;
        }
        timelines.push_back(std::move(timeline));
    }
    return timelines;
}

}  // namespace splitscope
