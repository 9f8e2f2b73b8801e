// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recorder/channel_protocol.hpp"
#include "recorder/connection.hpp"
#include "recorder/debugger_requests.hpp"
#include "recorder/graph_snapshot.hpp"
#include "recorder/real_functions.hpp"
#include "recorder/watched_scheduler.hpp"

namespace splitscope::recorder {

/// The debugger's agent inside a program (attach.md §1): reports computations, pauses on request, and reads
/// and writes values while paused. Inactive without a channel. On any unexpected error it closes the channel
/// and lets the program continue. Thread-safe; while one thread is paused, others block before their next
/// computation.
class Agent {
 public:
    /// The single instance; null unless the environment names an open channel, and in forked children.
    static Agent* active();
    Agent(std::unique_ptr<Link> link, std::string_view token);

    bool is_attached();
    /// Sends a block of the recording.
    void send_text(std::string_view text);
    void send_abort_message(std::string_view text);

    void scheduler_made(Scheduler scheduler);
    /// Announces the graph that the scheduler computes next.
    void graph_ready(Scheduler scheduler, const Api& api, const TensorLayout& layout, BoundSnapshot graph);
    /// Sets the program's own callback, which the agent's wraps.
    void own_callback(Scheduler scheduler, EvalCallback* own, void* user);

    /// Called around each computation; may nest.
    void begin(Scheduler scheduler);
    void end(int status);
    /// Called around each call to a backend.
    void part_begins();
    void part_given(ComputeGraph part);
    void backend_done();
    void copied(TensorPtr source, std::chrono::steady_clock::time_point start);

 private:
    using Clock = std::chrono::steady_clock;

    static bool callback(TensorPtr tensor, bool ask, void* watched);
    static WatchedScheduler*& computing();

    WatchedScheduler& watched(Scheduler scheduler);
    void adopt(WatchedScheduler& w);
    void install(WatchedScheduler& w, bool ours);
    void plan_for(WatchedScheduler& w);
    void ask(WatchedScheduler& w, TensorPtr tensor);
    void observe(WatchedScheduler& w, TensorPtr tensor);
    void guard(WatchedScheduler& w, int node);
    void report_stray_writes(WatchedScheduler& w, int node);
    void wait_paused(WatchedScheduler& w, int node, StopCause cause);
    /// Processes received messages; waits for one if requested.
    void listen(bool wait);
    /// Processes a message; true if a paused program is to continue.
    bool handle(const channel::Frame& message, WatchedScheduler* paused);
    void list_unloaded_backends();
    void send(channel::Kind kind, std::string_view body);
    std::string frames_of_events(WatchedScheduler& w) const;
    std::int64_t since_start(Clock::time_point time) const;
    void give_up();
    template <class F>
    void guarded(F&& work) noexcept;

    std::mutex mutex_;
    std::unique_ptr<Link> link_;
    Clock::time_point start_ = Clock::now();
    bool has_listed_backends_ = false;
    bool knows_engine_ = false;  ///< api_ and layout_ are set
    Api api_{};
    TensorLayout layout_;
    std::unordered_map<Scheduler, std::unique_ptr<WatchedScheduler>>
        watched_;  ///< never freed: ggml keeps their addresses
    DebuggerRequests requests_;
    std::uint64_t computations_ = 0;
};

}  // namespace splitscope::recorder
