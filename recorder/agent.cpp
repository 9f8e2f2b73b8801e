// SPDX-License-Identifier: MIT
#include "recorder/agent.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "recorder/forked_child.hpp"
#include "recorder/live_values.hpp"
#include "recorder/unloaded_backends.hpp"

namespace splitscope::recorder {
namespace {

using channel::BodyReader;
using channel::BodyWriter;
using channel::Kind;

/// Set while this thread is in the agent, whose calls are not the program's.
bool& inside() {
    thread_local bool is_inside = false;
    return is_inside;
}

class Inside {
 public:
    Inside() { inside() = true; }
    ~Inside() { inside() = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

}  // namespace

Agent* Agent::active() {
    // Never destroyed: calls may arrive during process exit.
    static Agent* const agent = []() -> Agent* {
        const char* const socket = std::getenv(channel::kSocketVariable);
        const char* const token = std::getenv(channel::kTokenVariable);
        if (socket == nullptr || token == nullptr) return nullptr;
        auto made = std::make_unique<Agent>(std::make_unique<Connection>(socket), token);
        if (!made->is_attached()) return nullptr;
        note_forks();
        return made.release();
    }();
    return agent == nullptr || is_forked_child() ? nullptr : agent;
}

Agent::Agent(std::unique_ptr<Link> link, std::string_view token) : link_(std::move(link)) {
    if (!link_->is_open()) return;
    BodyWriter hello;
    hello.put(channel::kVersion);
    hello.put_text(token);
    hello.put(static_cast<std::int32_t>(::getpid()));
    send(Kind::hello, hello.take());
    const auto answer = link_->receive(true);
    if (!answer) {
        link_->close();
        return;
    }
    BodyReader body(answer->body);
    const auto version = body.get<std::uint32_t>();
    if (answer->kind != Kind::welcome || version != channel::kVersion || !body.whole()) link_->close();
}

/// Errors must not propagate to the program.
template <class F>
void Agent::guarded(F&& work) noexcept {
    try {
        work();
    } catch (...) {
        give_up();
    }
}

bool Agent::is_attached() {
    const std::lock_guard lock(mutex_);
    return link_->is_open();
}

/// Detaches: the program continues unobserved.
void Agent::give_up() {
    link_->close();
    requests_.clear();
}

void Agent::send(Kind kind, std::string_view body) {
    link_->send(channel::frame(kind, body));
}

void Agent::send_text(std::string_view text) {
    const std::lock_guard lock(mutex_);
    guarded([&] {
        while (!text.empty()) {
            const std::string_view piece = text.substr(0, channel::kMaxPiece);
            send(Kind::text, piece);
            text.remove_prefix(piece.size());
        }
    });
}

void Agent::send_abort_message(std::string_view text) {
    // The aborting thread may already hold the agent's lock.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) send(Kind::abort_message, text.substr(0, channel::kMaxPiece));
}

WatchedScheduler*& Agent::computing() {
    thread_local WatchedScheduler* now = nullptr;
    return now;
}

WatchedScheduler& Agent::watched(Scheduler scheduler) {
    auto& place = watched_[scheduler];
    if (!place) {
        place = std::make_unique<WatchedScheduler>();
        place->agent = this;
        place->scheduler = scheduler;
    }
    return *place;
}

void Agent::scheduler_made(Scheduler scheduler) {
    if (inside()) return;
    const std::lock_guard lock(mutex_);
    const auto found = watched_.find(scheduler);
    // Otherwise a new scheduler at the same address.
    if (found != watched_.end()) found->second->forget();
    if (std::exchange(has_listed_backends_, true)) return;
    guarded([&] { list_unloaded_backends(); });
}

/// Programs choose their devices, and so load backends, before their first scheduler.
void Agent::list_unloaded_backends() {
    constexpr std::size_t kMax = 64;
    std::vector<std::string> files = unloaded_backends(real_function("ggml_backend_sched_new"));
    files.resize(std::min(files.size(), kMax));
    for (const std::string& file : files) send(Kind::unloaded, file);
}

void Agent::own_callback(Scheduler scheduler, EvalCallback* own, void* user) {
    if (inside()) return;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        WatchedScheduler& w = watched(scheduler);
        w.own = own;
        w.own_user = user;
        w.own_handler_is_set = false;
    });
}

void Agent::graph_ready(Scheduler scheduler, const Api& api, const TensorLayout& layout,
                        BoundSnapshot graph) {
    if (inside()) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        if (!link_->is_open()) return;
        if (!knows_engine_) {
            api_ = api;
            layout_ = layout;
            knows_engine_ = true;
        }
        WatchedScheduler& w = watched(scheduler);
        w.set_graph(api_, std::move(graph));
        // A computation that had to allocate first.
        if (w.depth > 0) adopt(w);
    });
}

// Computations
// ------------------------------------------------------------------------------------------------------

void Agent::begin(Scheduler scheduler) {
    if (inside()) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        WatchedScheduler& w = watched(scheduler);
        if (w.depth++ > 0) return;
        computing() = &w;
        w.computation = ++computations_;
        w.started = Clock::now();
        w.events.clear();
        w.open.reset();
        w.observed = false;
        if (link_->is_open()) listen(false);
        if (w.graph) adopt(w);
    });
}

/// The graph of a computation is known: decides whether to observe it node by node.
void Agent::adopt(WatchedScheduler& w) {
    w.expect_nodes();
    plan_for(w);
    if (requests_.stops_before_graph() && link_->is_open()) wait_paused(w, -1, {channel::PauseReason::step});
    plan_for(w);
    w.observed = link_->is_open() && requests_.observe(w);
    install(w, w.observed);
}

void Agent::install(WatchedScheduler& w, bool ours) {
    if (api_.set_eval_callback == nullptr || w.own_handler_is_set == ours) return;
    if (ours) {
        api_.set_eval_callback(w.scheduler, &Agent::callback, &w);
    } else {
        api_.set_eval_callback(w.scheduler, w.own, w.own_user);
    }
    w.own_handler_is_set = ours;
}

void Agent::end(int status) {
    if (inside()) return;
    WatchedScheduler* const w = computing();
    if (w == nullptr) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        if (--w->depth > 0) return;
        computing() = nullptr;
        const auto now = Clock::now();
        w->close_part(now);
        if (!link_->is_open()) {
            give_up();
            return;
        }
        BodyWriter body;
        body.put(w->computation);
        body.put(static_cast<std::int32_t>(w->graph ? w->graph->number : -1));
        body.put(static_cast<std::int32_t>(status));
        body.put(since_start(w->started));
        body.put(since_start(now));
        body.put(static_cast<std::uint32_t>(w->observed ? 1 : 0));
        // At once, since each call may wake the debugger.
        link_->send(frames_of_events(*w) + channel::frame(Kind::computed, body.take()));
    });
}

std::int64_t Agent::since_start(Clock::time_point time) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start_).count();
}

void Agent::part_begins() {
    WatchedScheduler* const w = computing();
    if (w == nullptr || inside()) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        const auto now = Clock::now();
        w->close_part(now);
        w->part_start = now;
    });
}

void Agent::part_given(ComputeGraph part) {
    WatchedScheduler* const w = computing();
    if (w == nullptr || inside() || !w->graph) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        const int count = api_.graph_n_nodes(part);
        if (count < 1) return;
        TimedEvent event;
        const int first = w->node_of(api_.graph_node(part, 0));
        const int last = w->node_of(api_.graph_node(part, count - 1));
        if (first < 0 || last < 0) return;
        event.first = first + w->graph->snapshot.leafs;
        event.last = last + w->graph->snapshot.leafs;
        if (!w->split_of_node.empty()) event.split = w->split_of_node[static_cast<std::size_t>(first)];
        event.start = w->part_start;
        event.bytes = static_cast<std::uint64_t>(count);
        w->open = event;
        // Without the agent's callback, the backend is not synchronised.
        if (!w->observed) w->close_part(Clock::now());
    });
}

void Agent::backend_done() {
    WatchedScheduler* const w = computing();
    if (w == nullptr || inside() || !w->open) return;
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] { w->close_part(now); });
}

void Agent::copied(TensorPtr source, Clock::time_point start) {
    WatchedScheduler* const w = computing();
    if (w == nullptr || inside() || !w->graph) return;
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        TimedEvent event;
        event.kind = channel::EventKind::copied;
        event.first = w->graph->snapshot.id_of(source);
        if (event.first < 0) return;
        event.start = start;
        event.took = now - start;
        event.bytes = api_.tensor_bytes != nullptr ? api_.tensor_bytes(source) : 0;
        if (!w->split_of_node.empty() && w->observed) {
            // Copies belong to the next split.
            const auto next = static_cast<std::size_t>(w->asked);
            if (next < w->split_of_node.size()) event.split = w->split_of_node[next];
        }
        w->events.push_back(event);
    });
}

std::string Agent::frames_of_events(WatchedScheduler& w) const {
    constexpr std::size_t kAtOnce = 16384;
    std::string frames;
    for (std::size_t at = 0; at < w.events.size(); at += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, w.events.size() - at);
        BodyWriter body;
        body.put(w.computation);
        body.put(static_cast<std::int32_t>(w.graph ? w.graph->number : -1));
        body.put(static_cast<std::uint32_t>(count));
        for (std::size_t i = at; i < at + count; ++i) {
            const TimedEvent& event = w.events[i];
            body.put(event.kind);
            body.put(event.first);
            body.put(event.last);
            body.put(event.split);
            body.put(since_start(event.start));
            body.put(static_cast<std::int64_t>(event.took.count()));
            body.put(event.bytes);
        }
        frames += channel::frame(Kind::events, body.take());
    }
    w.events.clear();
    return frames;
}

// Nodes
// -------------------------------------------------------------------------------------------------------------

/// Requests from the debugger the nodes that its breakpoints match.
void Agent::plan_for(WatchedScheduler& w) {
    while (link_->is_open() && requests_.lacks_plan(w)) {
        BodyWriter body;
        body.put(requests_.epoch());
        body.put(static_cast<std::int32_t>(w.graph->number));
        send(Kind::plan_requested, body.take());
        const std::uint32_t asked = requests_.epoch();
        while (link_->is_open() && requests_.lacks_plan(w) && requests_.epoch() == asked) listen(true);
    }
}

/// The engine's callback: before a node, whether it is wanted; after it, if it was.
bool Agent::callback(TensorPtr tensor, bool ask, void* user) {
    WatchedScheduler& w = *static_cast<WatchedScheduler*>(user);
    const bool watched = !is_forked_child();
    if (ask) {
        w.program_wants = w.own != nullptr && w.own(tensor, true, w.own_user);
        w.debugger_wants = false;
        if (watched) w.agent->ask(w, tensor);
        return w.program_wants || w.debugger_wants;
    }
    // The program's answer decides whether the split continues; the agent's never ends one. Its values are
    // read after that.
    const bool goes_on = !w.program_wants || w.own(tensor, false, w.own_user);
    if (watched) w.agent->observe(w, tensor);
    return goes_on;
}

void Agent::ask(WatchedScheduler& w, TensorPtr tensor) {
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        if (!w.graph) return;
        const int node = w.node_of(tensor);
        w.note_asked(node);
        if (link_->is_open()) w.debugger_wants = requests_.wants(w, node);
        w.guarded = false;
        if (w.debugger_wants && requests_.guards() && w.computes[static_cast<std::size_t>(node)])
            guard(w, node);
    });
}

void Agent::guard(WatchedScheduler& w, int node) {
    const TensorPtr tensor =
        w.graph->snapshot.tensors[static_cast<std::size_t>(w.graph->snapshot.leafs + node)].self;
    // Inputs of the split may still be on their way.
    if (api_.synchronize != nullptr) api_.synchronize(api_.tensor_backend(w.scheduler, tensor));
    w.guard.save(LiveValues(api_, layout_, &w), w, node);
    w.guarded = true;
}

void Agent::report_stray_writes(WatchedScheduler& w, int node) {
    if (!std::exchange(w.guarded, false)) return;
    for (const StrayWrite& write : w.guard.changes(LiveValues(api_, layout_, &w), w)) {
        BodyWriter body;
        body.put(w.computation);
        body.put(static_cast<std::int32_t>(w.graph->number));
        body.put(static_cast<std::int32_t>(node + w.graph->snapshot.leafs));
        body.put(write.tensor);
        body.put(write.operand);
        body.put(write.offset);
        body.put(write.bytes);
        body.put(write.distance);
        send(Kind::stray_write, body.take());
    }
}

void Agent::observe(WatchedScheduler& w, TensorPtr tensor) {
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        w.close_part(now);
        if (!w.graph || !w.debugger_wants || !link_->is_open()) return;
        listen(false);
        const int node = w.node_of(tensor);
        if (node < 0) return;
        report_stray_writes(w, node);
        const LiveValues values(api_, layout_, &w);
        // Each breakpoint that is met is reported, so that none misses a value or a hit.
        std::vector<std::uint32_t> counted;
        do {
            const auto cause = requests_.cause_after(
                w, node, [&](const StopRule& rule) { return values.meet(rule, node); }, counted);
            if (!cause) return;
            wait_paused(w, node, *cause);
        } while (link_->is_open() && requests_.runs_freely());
    });
}

// At a stop
// ---------------------------------------------------------------------------------------------------------

void Agent::wait_paused(WatchedScheduler& w, int node, StopCause cause) {
    requests_.note_pause();
    BodyWriter body;
    body.put(w.computation);
    body.put(static_cast<std::int32_t>(w.graph->number));
    body.put(static_cast<std::int32_t>(node < 0 ? -1 : node + w.graph->snapshot.leafs));
    body.put(static_cast<std::uint32_t>(w.asked));
    body.put(cause.why);
    body.put(cause.breakpoint);
    body.put(cause.breakpoint != 0 ? requests_.hits(cause.breakpoint) : std::uint64_t{0});
    body.put(since_start(Clock::now()));
    link_->send(frames_of_events(w) + channel::frame(Kind::stopped, body.take()));
    while (link_->is_open()) {
        const auto message = link_->receive(true);
        if (!message) break;
        if (handle(*message, &w)) break;
    }
    if (!link_->is_open()) {
        give_up();
        return;
    }
    send(Kind::resumed, {});
    // New breakpoints take effect in the current computation.
    if (w.observed) plan_for(w);
}

void Agent::listen(bool wait) {
    while (const auto message = link_->receive(wait)) {
        handle(*message, nullptr);
        if (wait) return;
    }
    if (!link_->is_open()) give_up();
}

bool Agent::handle(const channel::Frame& message, WatchedScheduler* paused) {
    switch (requests_.take(message, paused)) {
        case DebuggerRequests::Taken::yes:
            return false;
        case DebuggerRequests::Taken::resume:
            return true;
        case DebuggerRequests::Taken::malformed:
            give_up();
            return true;
        case DebuggerRequests::Taken::no:
            break;
    }
    const LiveValues values(api_, layout_, paused);
    const BodyReader body(message.body);
    std::optional<std::string> reply;
    Kind kind{};
    switch (message.kind) {
        case Kind::read:
            kind = Kind::values;
            reply = values.read(body);
            break;
        case Kind::write:
            kind = Kind::written;
            reply = values.write(body);
            break;
        case Kind::examine:
            kind = Kind::statistics;
            reply = values.examine(body);
            break;
        default:
            break;
    }
    if (!reply) {
        give_up();
        return true;
    }
    send(kind, *reply);
    return false;
}

}  // namespace splitscope::recorder
