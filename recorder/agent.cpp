// SPDX-License-Identifier: MIT
#include "recorder/agent.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include <unistd.h>

#include "recorder/writable_memory.hpp"

namespace splitscope::recorder {
namespace {

using channel::BodyReader;
using channel::BodyWriter;
using channel::Kind;
using channel::Status;

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

bool computes_nothing(const Api& api, const TensorFacts& t) {
    const std::string_view name = api.op_name(t.op);
    return name == "NONE" || name == "VIEW" || name == "RESHAPE" || name == "PERMUTE" ||
           name == "TRANSPOSE" || std::ranges::any_of(t.ne, [](std::int64_t n) { return n <= 0; });
}

}  // namespace

Agent* Agent::active() {
    // Never destroyed: calls may arrive during process exit.
    static Agent* const agent = []() -> Agent* {
        const char* const socket = std::getenv(channel::kSocketVariable);
        const char* const token = std::getenv(channel::kTokenVariable);
        if (socket == nullptr || token == nullptr) return nullptr;
        auto made = std::make_unique<Agent>(std::make_unique<Connection>(socket), token);
        return made->is_attached() ? made.release() : nullptr;
    }();
    return agent;
}

Agent::Agent(std::unique_ptr<Link> link, std::string_view token) : link_(std::move(link)) {
    if (!link_->is_open()) return;
    BodyWriter hello;
    hello.put(channel::kVersion);
    hello.put_text(token);
    hello.put(static_cast<std::int32_t>(::getpid()));
    link_->send(Kind::hello, hello.take());
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
    pausing_ = false;
    go_ = channel::Go::on;
    plans_.clear();
}

void Agent::send_text(std::string_view text) {
    const std::lock_guard lock(mutex_);
    while (!text.empty()) {
        const std::string_view piece = text.substr(0, channel::kMaxPiece);
        link_->send(Kind::text, piece);
        text.remove_prefix(piece.size());
    }
}

void Agent::last_words(std::string_view text) {
    // The aborting thread may already hold the agent's lock.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) link_->send(Kind::last_words, text.substr(0, channel::kMaxPiece));
}

Agent::Watched*& Agent::computing() {
    thread_local Watched* now = nullptr;
    return now;
}

Agent::Watched& Agent::watched(Scheduler scheduler) {
    auto& place = watched_[scheduler];
    if (!place) {
        place = std::make_unique<Watched>();
        place->agent = this;
        place->scheduler = scheduler;
    }
    return *place;
}

void Agent::scheduler_made(Scheduler scheduler) {
    if (inside()) return;
    const std::lock_guard lock(mutex_);
    const auto found = watched_.find(scheduler);
    if (found == watched_.end()) return;
    // A new scheduler at the same address.
    Watched& w = *found->second;
    w.own = nullptr;
    w.own_user = nullptr;
    w.own_handler_is_set = false;
    w.graph.reset();
}

void Agent::own_callback(Scheduler scheduler, EvalCallback* callback, void* user) {
    if (inside()) return;
    const std::lock_guard lock(mutex_);
    Watched& w = watched(scheduler);
    w.own = callback;
    w.own_user = user;
    w.own_handler_is_set = false;
}

void Agent::graph_ready(Scheduler scheduler, const Api& api, const TensorLayout& layout,
                        BoundSnapshot graph) {
    if (inside()) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        if (!link_->is_open()) return;
        if (!api_) {
            api_ = api;
            layout_ = layout;
        }
        Watched& w = watched(scheduler);
        const auto nodes = static_cast<std::size_t>(graph.snapshot.nodes);
        w.computes.assign(nodes, false);
        for (std::size_t i = 0; i < nodes; ++i) {
            const auto place = static_cast<std::size_t>(graph.snapshot.leafs) + i;
            w.computes[i] = !computes_nothing(*api_, graph.snapshot.tensors[place]);
        }
        w.split_of_node.assign(graph.splits.empty() ? 0 : nodes, -1);
        for (std::size_t s = 0; s < graph.splits.size(); ++s) {
            for (int i = graph.splits[s].start; i < graph.splits[s].end; ++i) {
                w.split_of_node[static_cast<std::size_t>(i)] = static_cast<int>(s);
            }
        }
        w.graph = std::move(graph);
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
        Watched& w = watched(scheduler);
        if (w.depth++ > 0) return;
        computing() = &w;
        w.computation = ++computations_;
        w.started = Clock::now();
        w.events.clear();
        w.open.reset();
        w.observed = false;
        if (link_->is_open()) listen(nullptr, false);
        if (w.graph) adopt(w);
    });
}

/// The graph of a computation is known: decides whether to observe it node by node.
void Agent::adopt(Watched& w) {
    const auto nodes = static_cast<std::size_t>(w.graph->snapshot.nodes);
    w.asked = 0;
    w.order.assign(nodes, -1);
    w.nodes_in_order.clear();
    w.step_end = 0;
    plan_for(w);
    if (go_ == channel::Go::graph && link_->is_open()) wait_paused(w, -1, channel::Why::step, 0);
    plan_for(w);
    const Plan* const plan = plan_of(w);
    const bool planned = plan != nullptr && std::ranges::any_of(plan->conditions, [&](const Condition& c) {
                             return c.computation == 0 || c.computation == w.computation;
                         });
    w.observed = link_->is_open() &&
                 (planned || pausing_ || go_ != channel::Go::on || times_ != channel::Times::calls);
    install(w, w.observed);
}

void Agent::install(Watched& w, bool ours) {
    if (!api_ || api_->set_eval_callback == nullptr || w.own_handler_is_set == ours) return;
    if (ours) {
        api_->set_eval_callback(w.scheduler, &Agent::callback, &w);
    } else {
        api_->set_eval_callback(w.scheduler, w.own, w.own_user);
    }
    w.own_handler_is_set = ours;
}

void Agent::end(int status) {
    if (inside()) return;
    Watched* const w = computing();
    if (w == nullptr) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        if (--w->depth > 0) return;
        computing() = nullptr;
        const auto now = Clock::now();
        close_part(*w, now);
        if (!link_->is_open()) {
            give_up();
            return;
        }
        send_events(*w);
        BodyWriter body;
        body.put(w->computation);
        body.put(static_cast<std::int32_t>(w->graph ? w->graph->number : -1));
        body.put(static_cast<std::int32_t>(status));
        body.put(since_start(w->started));
        body.put(since_start(now));
        body.put(static_cast<std::uint32_t>(w->observed ? 1 : 0));
        link_->send(Kind::computed, body.take());
    });
}

std::int64_t Agent::since_start(Clock::time_point time) const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - start_).count();
}

void Agent::part_begins() {
    Watched* const w = computing();
    if (w == nullptr || inside()) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        const auto now = Clock::now();
        close_part(*w, now);
        w->part_start = now;
    });
}

void Agent::part_given(ComputeGraph part) {
    Watched* const w = computing();
    if (w == nullptr || inside() || !w->graph) return;
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        const int count = api_->graph_n_nodes(part);
        if (count < 1) return;
        Event event;
        const int first = node_of(*w, api_->graph_node(part, 0));
        const int last = node_of(*w, api_->graph_node(part, count - 1));
        if (first < 0 || last < 0) return;
        event.first = first + w->graph->snapshot.leafs;
        event.last = last + w->graph->snapshot.leafs;
        if (!w->split_of_node.empty()) event.split = w->split_of_node[static_cast<std::size_t>(first)];
        event.start = w->part_start;
        event.bytes = static_cast<std::uint64_t>(count);
        w->open = event;
        // Without the agent's callback, the backend is not synchronised.
        if (!w->observed) close_part(*w, Clock::now());
    });
}

void Agent::backend_done() {
    Watched* const w = computing();
    if (w == nullptr || inside() || !w->open) return;
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] { close_part(*w, now); });
}

void Agent::close_part(Watched& w, Clock::time_point end) {
    if (!w.open) return;
    w.open->took = end - w.open->start;
    w.events.push_back(*w.open);
    w.open.reset();
}

void Agent::copied(TensorPtr source, Clock::time_point start) {
    Watched* const w = computing();
    if (w == nullptr || inside() || !w->graph) return;
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        Event event;
        event.kind = channel::EventKind::copied;
        event.first = w->graph->snapshot.id_of(source);
        if (event.first < 0) return;
        event.start = start;
        event.took = now - start;
        event.bytes = api_->tensor_bytes != nullptr ? api_->tensor_bytes(source) : 0;
        if (!w->split_of_node.empty() && w->observed) {
            // Copies belong to the next split.
            const auto next = static_cast<std::size_t>(w->asked);
            if (next < w->split_of_node.size()) event.split = w->split_of_node[next];
        }
        w->events.push_back(event);
    });
}

void Agent::send_events(Watched& w) {
    constexpr std::size_t kAtOnce = 16384;
    for (std::size_t at = 0; at < w.events.size(); at += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, w.events.size() - at);
        BodyWriter body;
        body.put(w.computation);
        body.put(static_cast<std::int32_t>(w.graph ? w.graph->number : -1));
        body.put(static_cast<std::uint32_t>(count));
        for (std::size_t i = at; i < at + count; ++i) {
            const Event& event = w.events[i];
            body.put(event.kind);
            body.put(event.first);
            body.put(event.last);
            body.put(event.split);
            body.put(since_start(event.start));
            body.put(static_cast<std::int64_t>(event.took.count()));
            body.put(event.bytes);
        }
        link_->send(Kind::events, body.take());
    }
    w.events.clear();
}

// Nodes
// -------------------------------------------------------------------------------------------------------------

int Agent::node_of(const Watched& w, TensorPtr tensor) const {
    const int node = w.graph->snapshot.id_of(tensor) - w.graph->snapshot.leafs;
    return node < 0 || node >= w.graph->snapshot.nodes ? -1 : node;
}

const Agent::Plan* Agent::plan_of(const Watched& w) const {
    const auto found = plans_.find(w.graph->number);
    return found == plans_.end() || found->second.epoch != epoch_ ? nullptr : &found->second;
}

/// Requests from the debugger the nodes that its breakpoints match.
void Agent::plan_for(Watched& w) {
    constexpr std::size_t kMaxPlans = 512;
    if (plans_.size() > kMaxPlans) plans_.clear();
    while (epoch_ != 0 && link_->is_open() && plan_of(w) == nullptr) {
        BodyWriter body;
        body.put(epoch_);
        body.put(static_cast<std::int32_t>(w.graph->number));
        link_->send(Kind::plan_requested, body.take());
        const std::uint32_t asked = epoch_;
        while (link_->is_open() && plan_of(w) == nullptr && epoch_ == asked) listen(nullptr, true);
    }
}

bool Agent::wants(const Watched& w, int node) const {
    if (node < 0) return false;
    if (go_ == channel::Go::split && split_ends(w)) return true;
    if (!w.computes[static_cast<std::size_t>(node)]) return false;
    if (pausing_ || go_ == channel::Go::node || times_ == channel::Times::nodes) return true;
    if (go_ == channel::Go::to_node && go_graph_ == w.graph->number && go_node_ == node) return true;
    const Plan* const plan = plan_of(w);
    return plan != nullptr && std::ranges::any_of(plan->conditions, [&](const Condition& c) {
               return (c.computation == 0 || c.computation == w.computation) && c.wants(node);
           });
}

/// The end of the current split, as a number of nodes; the end of the graph if splits are unknown.
std::size_t Agent::next_split_end(const Watched& w) const {
    for (const RecordedSplit& split : w.graph->splits) {
        if (split.end > w.asked) return static_cast<std::size_t>(split.end);
    }
    return static_cast<std::size_t>(w.graph->snapshot.nodes);
}

bool Agent::split_ends(const Watched& w) const {
    const std::size_t end = w.step_end != 0           ? w.step_end
                            : w.graph->splits.empty() ? static_cast<std::size_t>(w.graph->snapshot.nodes)
                                                      : static_cast<std::size_t>(w.graph->splits.front().end);
    return static_cast<std::size_t>(w.asked) == end;
}

/// The engine's callback: before a node, whether it is wanted; after it, if it was.
bool Agent::callback(TensorPtr tensor, bool ask, void* user) {
    Watched& w = *static_cast<Watched*>(user);
    if (ask) {
        w.program_wants = w.own != nullptr && w.own(tensor, true, w.own_user);
        w.agent->ask(w, tensor);
        return w.program_wants || w.debugger_wants;
    }
    // The program's answer decides whether the split continues; the agent's never ends one. Its values are
    // read after that.
    const bool goes_on = !w.program_wants || w.own(tensor, false, w.own_user);
    w.agent->observe(w, tensor);
    return goes_on;
}

void Agent::ask(Watched& w, TensorPtr tensor) {
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        w.debugger_wants = false;
        if (!w.graph) return;
        const int node = node_of(w, tensor);
        ++w.asked;
        if (node >= 0) {
            w.order[static_cast<std::size_t>(node)] = w.asked;
            w.nodes_in_order.push_back(node);
        }
        if (link_->is_open()) w.debugger_wants = wants(w, node);
    });
}

void Agent::observe(Watched& w, TensorPtr tensor) {
    const auto now = Clock::now();
    const Inside mark;
    const std::lock_guard lock(mutex_);
    guarded([&] {
        close_part(w, now);
        if (!w.graph || !w.debugger_wants || !link_->is_open()) return;
        listen(nullptr, false);
        const int node = node_of(w, tensor);
        if (node < 0) return;
        if (pausing_) return wait_paused(w, node, channel::Why::pause, 0);
        if (const Plan* const plan = plan_of(w)) {
            for (const Condition& condition : plan->conditions) {
                if (!condition.wants(node) || !meets(condition, w, node)) continue;
                if (++hits_[condition.breakpoint] <= condition.ignored) continue;
                return wait_paused(w, node, channel::Why::breakpoint, condition.breakpoint);
            }
        }
        if (go_ == channel::Go::node || (go_ == channel::Go::split && split_ends(w))) {
            return wait_paused(w, node, channel::Why::step, 0);
        }
        if (go_ == channel::Go::to_node && go_graph_ == w.graph->number && go_node_ == node) {
            return wait_paused(w, node, channel::Why::run_to, 0);
        }
    });
}

/// Views use the buffer of the tensor whose memory they share.
Buffer Agent::buffer_of(const TensorFacts& now) const {
    return now.view_source != nullptr ? read_tensor(*layout_, now.view_source).buffer : now.buffer;
}

bool Agent::meets(const Condition& condition, const Watched& w, int node) {
    if (condition.computation != 0 && condition.computation != w.computation) return false;
    if (condition.values == channel::Values::any) return true;
    const auto place = static_cast<std::size_t>(w.graph->snapshot.leafs + node);
    const TensorFacts now = read_tensor(*layout_, w.graph->snapshot.tensors[place].self);
    if (now.data == 0 || buffer_of(now) == nullptr || api_->tensor_get == nullptr) return false;
    const std::string_view type = api_->type_name(now.type);
    const bool real = type.starts_with("f") || type.starts_with("bf");
    if (condition.values == channel::Values::not_finite && !real) return false;
    const ValueStatistics seen = scan_values(now, type, [&](void* to, std::size_t offset, std::size_t size) {
        api_->tensor_get(now.self, to, offset, size);
    });
    if (condition.values == channel::Values::not_finite) return !seen.all_finite();
    return !seen.all_finite() || seen.least < condition.low || seen.most > condition.high;
}

// At a stop
// ---------------------------------------------------------------------------------------------------------

void Agent::wait_paused(Watched& w, int node, channel::Why why, std::uint32_t breakpoint) {
    pausing_ = false;
    go_ = channel::Go::on;
    send_events(w);
    BodyWriter body;
    body.put(w.computation);
    body.put(static_cast<std::int32_t>(w.graph->number));
    body.put(static_cast<std::int32_t>(node < 0 ? -1 : node + w.graph->snapshot.leafs));
    body.put(static_cast<std::uint32_t>(w.asked));
    body.put(why);
    body.put(breakpoint);
    body.put(breakpoint != 0 ? hits_[breakpoint] : std::uint64_t{0});
    body.put(since_start(Clock::now()));
    link_->send(Kind::stopped, body.take());
    while (link_->is_open()) {
        const auto message = link_->receive(true);
        if (!message) break;
        if (obey(*message, &w)) break;
    }
    if (!link_->is_open()) {
        give_up();
        return;
    }
    link_->send(Kind::resumed, {});
    // New breakpoints take effect in the current computation.
    if (w.observed) plan_for(w);
}

/// Processes received messages; waits for one if requested.
void Agent::listen(Watched* standing, bool wait) {
    while (const auto message = link_->receive(wait)) {
        obey(*message, standing);
        if (wait) return;
    }
    if (!link_->is_open()) give_up();
}

bool Agent::obey(const channel::Frame& message, Watched* standing) {
    BodyReader body(message.body);
    switch (message.kind) {
        case Kind::epoch: {
            const auto epoch = body.get<std::uint32_t>();
            if (!body.whole() || epoch == 0) break;
            epoch_ = epoch;
            plans_.clear();
            return false;
        }
        case Kind::plan:
            take_plan(body);
            return false;
        case Kind::go:
            return take_go(body, standing);
        case Kind::pause:
            pausing_ = standing == nullptr;
            return false;
        case Kind::times: {
            const auto times = body.get<channel::Times>();
            if (!body.whole() || times > channel::Times::nodes) break;
            times_ = times;
            return false;
        }
        case Kind::read:
            answer_read(body, standing);
            return false;
        case Kind::write:
            answer_write(body, standing);
            return false;
        case Kind::examine:
            answer_examine(body, standing);
            return false;
        default:
            break;
    }
    give_up();
    return true;
}

bool Agent::take_go(BodyReader body, Watched* standing) {
    const auto how = body.get<channel::Go>();
    const auto graph = body.get<std::int32_t>();
    const auto node = body.get<std::int32_t>();
    if (!body.whole() || how > channel::Go::to_node) {
        give_up();
        return true;
    }
    go_ = how;
    go_graph_ = graph;
    go_node_ = node;
    pausing_ = false;
    if (how == channel::Go::split && standing != nullptr) standing->step_end = next_split_end(*standing);
    return true;
}

void Agent::take_plan(BodyReader body) {
    Plan plan;
    plan.epoch = body.get<std::uint32_t>();
    const auto graph = body.get<std::int32_t>();
    constexpr std::size_t kMin = 44;
    const std::uint32_t count = body.get_count(kMin);
    for (std::uint32_t i = 0; i < count; ++i) {
        Condition condition;
        condition.breakpoint = body.get<std::uint32_t>();
        condition.values = body.get<channel::Values>();
        condition.low = body.get<double>();
        condition.high = body.get<double>();
        condition.computation = body.get<std::uint64_t>();
        condition.ignored = body.get<std::uint64_t>();
        condition.nodes = body.get_text();
        if (condition.values > channel::Values::outside) return give_up();
        plan.conditions.push_back(std::move(condition));
    }
    if (!body.whole()) return give_up();
    plans_.insert_or_assign(graph, std::move(plan));
}

const TensorFacts* Agent::tensor_at(Watched* standing, std::int32_t number) const {
    if (standing == nullptr || !standing->graph || number < 0) return nullptr;
    const auto& tensors = standing->graph->snapshot.tensors;
    const auto place = static_cast<std::size_t>(number);
    return place < tensors.size() ? &tensors[place] : nullptr;
}

std::pair<Status, int> Agent::state_of(Watched& w, int tensor) const {
    const GraphSnapshot& graph = w.graph->snapshot;
    const int node = tensor - graph.leafs;
    if (node < 0 || node >= graph.nodes) return {Status::fine, -1};
    const bool computes = w.computes[static_cast<std::size_t>(node)];
    const int when = w.order[static_cast<std::size_t>(node)];
    if (computes && when < 0) return {Status::not_computed, -1};
    const auto range = [&](int n) {
        const TensorFacts now =
            read_tensor(*layout_, graph.tensors[static_cast<std::size_t>(graph.leafs + n)].self);
        return std::pair(now.data, now.data + api_->tensor_bytes(now.self));
    };
    const auto [from, to] = range(node);
    // A view's values may be written before or after it, so its own position is irrelevant.
    for (auto at = static_cast<std::size_t>(std::max(when, 0)); computes && at < w.nodes_in_order.size();
         ++at) {
        const int later = w.nodes_in_order[at];
        if (!w.computes[static_cast<std::size_t>(later)]) continue;
        const auto [begin, end] = range(later);
        if (begin < to && from < end) return {Status::reused, graph.leafs + later};
    }
    return {Status::fine, -1};
}

void Agent::answer_read(BodyReader body, Watched* standing) {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    const auto offset = body.get<std::uint64_t>();
    const auto size = body.get<std::uint32_t>();
    if (!body.whole() || size > channel::kMaxPiece) return give_up();
    BodyWriter answer;
    answer.put(request);
    const TensorFacts* const facts = tensor_at(standing, number);
    std::string bytes;
    Status status = Status::unknown;
    int other = -1;
    std::uint64_t all = 0;
    if (facts != nullptr && api_->tensor_get != nullptr && api_->tensor_bytes != nullptr) {
        const TensorFacts now = read_tensor(*layout_, facts->self);
        all = api_->tensor_bytes(facts->self);
        if (now.data == 0 || buffer_of(now) == nullptr) {
            status = Status::no_memory;
        } else if (offset > all || size > all - offset) {
            status = Status::range;
        } else {
            std::tie(status, other) = state_of(*standing, number);
            bytes.resize(size);
            if (size > 0) api_->tensor_get(facts->self, bytes.data(), static_cast<std::size_t>(offset), size);
        }
    }
    answer.put(status);
    answer.put(static_cast<std::int32_t>(other));
    answer.put(all);
    answer.put_text(bytes);
    link_->send(Kind::values, answer.take());
}

void Agent::answer_write(BodyReader body, Watched* standing) {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    const auto offset = body.get<std::uint64_t>();
    const std::string_view bytes = body.get_text();
    if (!body.whole()) return give_up();
    const TensorFacts* const facts = tensor_at(standing, number);
    Status status = Status::unknown;
    if (facts != nullptr && api_->tensor_set != nullptr && api_->tensor_bytes != nullptr) {
        const TensorFacts now = read_tensor(*layout_, facts->self);
        const std::uint64_t all = api_->tensor_bytes(facts->self);
        const Buffer buffer = buffer_of(now);
        if (now.data == 0 || buffer == nullptr) {
            status = Status::no_memory;
        } else if (offset > all || bytes.size() > all - offset) {
            status = Status::range;
        } else if (api_->buffer_type_is_host(api_->buffer_type_of(buffer)) &&
                   !is_writable(now.data + offset, bytes.size())) {
            status = Status::read_only;
        } else {
            if (!bytes.empty()) {
                api_->tensor_set(facts->self, bytes.data(), static_cast<std::size_t>(offset), bytes.size());
            }
            status = Status::fine;
        }
    }
    BodyWriter answer;
    answer.put(request);
    answer.put(status);
    link_->send(Kind::written, answer.take());
}

void Agent::answer_examine(BodyReader body, Watched* standing) {
    const auto request = body.get<std::uint32_t>();
    const auto number = body.get<std::int32_t>();
    if (!body.whole()) return give_up();
    const TensorFacts* const facts = tensor_at(standing, number);
    Status status = Status::unknown;
    int other = -1;
    ValueStatistics seen;
    if (facts != nullptr && api_->tensor_get != nullptr && api_->tensor_bytes != nullptr) {
        const TensorFacts now = read_tensor(*layout_, facts->self);
        if (now.data == 0 || buffer_of(now) == nullptr) {
            status = Status::no_memory;
        } else {
            std::tie(status, other) = state_of(*standing, number);
            seen = scan_values(now, api_->type_name(now.type),
                               [&](void* to, std::size_t offset, std::size_t size) {
                                   api_->tensor_get(now.self, to, offset, size);
                               });
        }
    }
    BodyWriter answer;
    answer.put(request);
    answer.put(status);
    answer.put(static_cast<std::int32_t>(other));
    answer.put(seen.values);
    answer.put(seen.nans);
    answer.put(seen.infinities);
    answer.put(seen.least);
    answer.put(seen.most);
    answer.put(seen.sum);
    answer.put(seen.sum_of_squares);
    link_->send(Kind::statistics, answer.take());
}

}  // namespace splitscope::recorder
