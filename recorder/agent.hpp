// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recorder/channel_protocol.hpp"
#include "recorder/connection.hpp"
#include "recorder/graph_snapshot.hpp"
#include "recorder/real_functions.hpp"
#include "recorder/scan_values.hpp"

namespace splitscope::recorder {

using EvalCallback = bool(TensorPtr tensor, bool ask, void* user);

/// A graph with its memory, about to be computed.
struct BoundSnapshot {
    int number = -1;  ///< of the equivalent recorded graph
    GraphSnapshot snapshot;
    std::vector<RecordedSplit> splits;
};

/// The debugger's agent inside a program (attach.md §1): reports computations, pauses on request, and reads
/// and writes values while paused. Inactive without a channel. On any unexpected error it closes the channel
/// and lets the program continue. Thread-safe; while one thread is paused, others block before their next
/// computation.
class Agent {
 public:
    /// The single instance; null unless the environment names an open channel.
    static Agent* active();
    Agent(std::unique_ptr<Link> link, std::string_view token);

    bool is_attached();
    /// Sends a block of the recording.
    void send_text(std::string_view text);
    void last_words(std::string_view text);

    void scheduler_made(Scheduler scheduler);
    /// Announces the graph that the scheduler computes next.
    void graph_ready(Scheduler scheduler, const Api& api, const TensorLayout& layout, BoundSnapshot graph);
    /// Sets the program's own callback, which the agent's wraps.
    void own_callback(Scheduler scheduler, EvalCallback* callback, void* user);

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
    struct Condition {
        std::uint32_t breakpoint = 0;
        channel::Values values = channel::Values::any;
        double low = 0;
        double high = 0;
        std::uint64_t computation = 0;  ///< 0 = every computation
        std::uint64_t ignored = 0;      ///< hits to skip
        std::string nodes;              ///< a bit per node
        bool wants(int node) const {
            const auto place = static_cast<std::size_t>(node);
            return place / 8 < nodes.size() &&
                   (static_cast<unsigned char>(nodes[place / 8]) >> (place % 8) & 1U) != 0;
        }
    };
    struct Plan {
        std::uint32_t epoch = 0;
        std::vector<Condition> conditions;
    };
    struct Event {
        channel::EventKind kind{};
        std::int32_t first = -1;  ///< tensor
        std::int32_t last = -1;
        std::int32_t split = -1;
        Clock::time_point start;
        std::chrono::nanoseconds took{};
        std::uint64_t bytes = 0;
    };
    /// A scheduler. Never freed, because its address is passed to ggml.
    struct Watched {
        Agent* agent = nullptr;
        Scheduler scheduler = nullptr;
        EvalCallback* own = nullptr;
        void* own_user = nullptr;
        bool own_handler_is_set = false;
        std::optional<BoundSnapshot> graph;
        std::vector<bool> computes;      ///< per node: neither a view nor empty
        std::vector<int> split_of_node;  ///< empty if splits are unknown

        // The computation in progress.
        int depth = 0;
        std::uint64_t computation = 0;
        Clock::time_point started;
        bool observed = false;
        bool program_wants = false;   ///< the program's callback wants the last node
        bool debugger_wants = false;  ///< the debugger wants the last node
        int asked = 0;                ///< nodes asked about
        std::vector<int> order;       ///< per node: position in the order of callbacks, or -1
        std::vector<int> nodes_in_order;
        std::size_t step_end =
            0;  ///< nodes asked when a step over a split ends; 0 = at the first split's end
        Clock::time_point part_start;
        std::optional<Event> open;  ///< until its backend has finished
        std::vector<Event> events;
    };

    static bool callback(TensorPtr tensor, bool ask, void* watched);
    static Watched*& computing();

    Watched& watched(Scheduler scheduler);
    int node_of(const Watched& w, TensorPtr tensor) const;
    void adopt(Watched& w);
    void install(Watched& w, bool ours);
    void plan_for(Watched& w);
    const Plan* plan_of(const Watched& w) const;
    bool wants(const Watched& w, int node) const;
    bool split_ends(const Watched& w) const;
    std::size_t next_split_end(const Watched& w) const;
    void ask(Watched& w, TensorPtr tensor);
    void observe(Watched& w, TensorPtr tensor);
    bool meets(const Condition& condition, const Watched& w, int node);
    void wait_paused(Watched& w, int node, channel::Why why, std::uint32_t breakpoint);
    void listen(Watched* standing, bool wait);
    /// Processes a command; true if the program is to continue.
    bool obey(const channel::Frame& message, Watched* standing);
    bool take_go(channel::BodyReader body, Watched* standing);
    void take_plan(channel::BodyReader body);
    void answer_read(channel::BodyReader body, Watched* standing);
    void answer_write(channel::BodyReader body, Watched* standing);
    void answer_examine(channel::BodyReader body, Watched* standing);
    /// Validity of a tensor's values, and the tensor that reused its memory.
    std::pair<channel::Status, int> state_of(Watched& w, int tensor) const;
    const TensorFacts* tensor_at(Watched* standing, std::int32_t number) const;
    Buffer buffer_of(const TensorFacts& now) const;
    void close_part(Watched& w, Clock::time_point end);
    void send_events(Watched& w);
    std::int64_t since_start(Clock::time_point time) const;
    void give_up();
    template <class F>
    void guarded(F&& work) noexcept;

    std::mutex mutex_;
    std::unique_ptr<Link> link_;
    Clock::time_point start_ = Clock::now();
    std::optional<Api> api_;
    std::optional<TensorLayout> layout_;
    std::unordered_map<Scheduler, std::unique_ptr<Watched>> watched_;
    std::map<int, Plan> plans_;
    std::unordered_map<std::uint32_t, std::uint64_t> hits_;
    std::uint32_t epoch_ = 0;
    std::uint64_t computations_ = 0;
    channel::Times times_ = channel::Times::calls;
    bool pausing_ = false;
    channel::Go go_ = channel::Go::on;
    std::int32_t go_graph_ = -1;
    std::int32_t go_node_ = -1;
};

}  // namespace splitscope::recorder
