// SPDX-License-Identifier: MIT
#include "engine/attach/program_view.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/attach/messages.hpp"
#include "engine/importers/recording.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

using channel::BodyReader;
using channel::BodyWriter;
using channel::Kind;

[[noreturn]] void refuse_message(std::string_view what) {
    throw Error(ErrorKind::io, msg::kBadMessage(what), {}, msg::kProgramRunsOn);
}

/// Constant-time comparison.
bool same_token(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    }
    return difference == 0;
}

/// Names may be arbitrarily long or malformed.
std::uint64_t tokens_of(const Graph& graph) {
    for (const TensorId leaf : graph.leafs) {
        const Tensor& t = graph[leaf];
        if (t.name == "inp_tokens") return static_cast<std::uint64_t>(t.ne[0]);
        if (t.name == "inp_embd" && t.op == Op::none) return static_cast<std::uint64_t>(t.ne[1]);
    }
    return 0;
}

std::string_view name_of_purpose(std::string_view purpose) {
    if (purpose == "decode") return "computed";
    return purpose == "reserve" ? "reserved" : "only split";
}

}  // namespace

std::string ProgramView::take(std::string_view bytes) {
    std::string out;
    frames_.add(bytes);
    while (const auto message = frames_.next()) take_message(*message, out);
    if (frames_.broken()) refuse_message("length");
    return out;
}

void ProgramView::take_message(const channel::Frame& message, std::string& out) {
    if (!attached_ && message.kind != Kind::hello) refuse_message("order");
    BodyReader body(message.body);
    switch (message.kind) {
        case Kind::hello:
            return take_hello(body, out);
        case Kind::text:
            return take_text(message.body);
        case Kind::plan_requested: {
            const auto epoch = body.get<std::uint32_t>();
            const auto graph = body.get<std::int32_t>();
            if (!body.whole()) refuse_message("plan");
            // The plan is stale: the program will ask again.
            if (epoch == epoch_) out += plan(epoch, graph);
            return;
        }
        case Kind::stopped:
            return take_stop(body, out);
        case Kind::events:
            return take_events(body);
        case Kind::computed:
            return take_computed(body);
        case Kind::stray_write:
            return take_stray_write(body);
        case Kind::values:
        case Kind::written:
        case Kind::statistics:
            return take_reply(message.kind, body);
        case Kind::abort_message:
            abort_message_ = message.body;
            return;
        case Kind::resumed:
            stop_.reset();
            return;
        case Kind::unloaded: {
            constexpr std::size_t kMaxFiles = 64;
            if (unloaded_.size() < kMaxFiles) unloaded_.push_back(message.body);
            return;
        }
        default:
            refuse_message("kind");
    }
}

void ProgramView::take_hello(BodyReader body, std::string& out) {
    if (attached_) refuse_message("order");
    const auto version = body.get<std::uint32_t>();
    const std::string_view token = body.get_text();
    process_ = body.get<std::int32_t>();
    if (!body.whole() || version != channel::kVersion || !same_token(token, token_))
        refuse_message("greeting");
    attached_ = true;
    BodyWriter welcome;
    welcome.put(channel::kVersion);
    out += channel::frame(Kind::welcome, welcome.take());
    out += initial_messages();
}

std::string ProgramView::initial_messages() {
    std::string out = set_times(times_);
    if (guard_) out += set_guard(true);
    if (!conditions_.empty()) out += set_conditions(std::move(conditions_));
    return out;
}

// The recording
// -------------------------------------------------------------------------------------------------------

void ProgramView::take_text(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        line_ += text.substr(0, end);
        if (line_.size() + block_.size() > kMaxGraphBytes) refuse_message("graph");
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
        line_ += '\n';
        take_line(line_);
        line_.clear();
    }
}

void ProgramView::take_line(std::string_view line) {
    if (block_number_ >= 0) {
        // Types and buffers precede the graph that uses them.
        block_ += line;
        if (line == "end\n") take_graph();
        return;
    }
    constexpr std::string_view kGraph = "graph ";
    constexpr std::string_view kRefused = "refused ";
    if (line.starts_with(kGraph)) {
        const std::string_view rest = line.substr(kGraph.size());
        int number = -1;
        std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (number < 0) refuse_message("graph");
        block_number_ = number;
        block_ = line;
        return;
    }
    if (line.starts_with(kRefused))
        refusal_ = refusal_of_recorder(line.substr(kRefused.size(), line.size() - kRefused.size() - 1));
    if (prelude_.size() + line.size() > kMaxPreludeBytes) refuse_message("recording");
    prelude_ += line;
}

void ProgramView::take_graph() {
    const int number = std::exchange(block_number_, -1);
    const std::string block = std::exchange(block_, {});
    Capture capture = parse_recording(prelude_ + block, "program");
    library_ = capture.library;
    if (capture.graphs.size() != 1) return;
    auto attached = std::make_shared<AttachedGraph>();
    attached->number = number;
    attached->generation = capture.generation;
    attached->library = capture.library;
    CapturedGraph& captured = capture.graphs.front();
    attached->purpose = captured.purpose;
    attached->tokens = tokens_of(captured.graph);
    if (attached->tokens > 0)
        captured.graph.name = fmt::format("{}, {}", attached->title(), name_of_purpose(captured.purpose));
    attached->captured = std::make_shared<const CapturedGraph>(std::move(captured));
    attached->graph = std::shared_ptr<const Graph>(attached->captured, &attached->captured->graph);
    attached->identities = std::make_shared<const TensorIdentities>(attached->graph);
    const auto alike = [&](const AttachedGraph& known) {
        return known.purpose == attached->purpose && known.tokens == attached->tokens &&
               known.graph->nodes.size() == attached->graph->nodes.size();
    };
    const auto is_alike = [&](const auto& known) { return alike(*known.second.graph); };
    if (static_cast<std::size_t>(std::ranges::count_if(graphs_, is_alike)) >= kMaxAlikeGraphs)
        drop_least_recent(alike);
    if (graphs_.size() >= kMaxAttachedGraphs) drop_least_recent([](const AttachedGraph&) { return true; });
    graphs_[number] = {std::move(attached), ++uses_};
    newest_graph_ = std::max(newest_graph_, number);
}

template <class Predicate>
void ProgramView::drop_least_recent(Predicate of) {
    auto least = graphs_.end();
    for (auto known = graphs_.begin(); known != graphs_.end(); ++known) {
        if (!of(*known->second.graph)) continue;
        if (least == graphs_.end() || known->second.last_use < least->second.last_use) least = known;
    }
    if (least != graphs_.end()) graphs_.erase(least);
}

std::shared_ptr<const AttachedGraph> ProgramView::graph_numbered(int number) const {
    const auto found = graphs_.find(number);
    return found == graphs_.end() ? nullptr : found->second.graph;
}

std::shared_ptr<const AttachedGraph> ProgramView::use_graph(int number) {
    const auto found = graphs_.find(number);
    if (found == graphs_.end()) return nullptr;
    found->second.last_use = ++uses_;
    return found->second.graph;
}

std::vector<std::shared_ptr<const AttachedGraph>> ProgramView::graphs() const {
    std::vector<std::shared_ptr<const AttachedGraph>> out;
    for (const auto& [number, known] : graphs_) out.push_back(known.graph);
    return out;
}

TensorId ProgramView::tensor_of(const AttachedGraph* graph, std::int32_t number) const {
    if (graph == nullptr || number < 0) return {};
    const TensorId tensor(static_cast<std::size_t>(number));
    return tensor.index() < graph->graph->tensors.size() ? tensor : TensorId();
}

// Commands
// -------------------------------------------------------------------------------------------------------------

std::string ProgramView::set_conditions(std::vector<StopCondition> conditions) {
    conditions_ = std::move(conditions);
    ++epoch_;
    BodyWriter body;
    body.put(epoch_);
    return channel::frame(Kind::epoch, body.take());
}

std::string ProgramView::set_times(channel::Times times) {
    times_ = times;
    BodyWriter body;
    body.put(times);
    return channel::frame(Kind::times, body.take());
}

std::string ProgramView::set_guard(bool guard) {
    guard_ = guard;
    BodyWriter body;
    body.put(std::uint32_t{guard ? 1U : 0U});
    return channel::frame(Kind::guard, body.take());
}

std::string ProgramView::resume(channel::RunTo to, int graph, TensorId node) {
    const auto known = graph_numbered(graph);
    const bool named = known && node.valid() && node.index() >= known->graph->leafs.size();
    BodyWriter body;
    body.put(to);
    body.put(static_cast<std::int32_t>(graph));
    body.put(static_cast<std::int32_t>(named ? node.index() - known->graph->leafs.size() : -1));
    return channel::frame(Kind::resume, body.take());
}

std::string ProgramView::plan(std::uint32_t epoch, int number) {
    BodyWriter body;
    body.put(epoch);
    body.put(static_cast<std::int32_t>(number));
    std::vector<std::pair<const StopCondition*, std::string>> wanted;
    if (const auto graph = use_graph(number)) {
        for (const StopCondition& condition : conditions_) {
            std::string nodes = nodes_wanted(condition, *graph);
            if (std::ranges::any_of(nodes, [](char c) { return c != '\0'; })) {
                wanted.emplace_back(&condition, std::move(nodes));
            }
        }
    }
    body.put(static_cast<std::uint32_t>(wanted.size()));
    for (const auto& [condition, nodes] : wanted) {
        const bool finite = condition->breakpoint.kind == BreakpointKind::not_finite;
        body.put(static_cast<std::uint32_t>(condition->breakpoint.id));
        body.put(condition->breakpoint.outside ? channel::Values::outside
                 : finite                      ? channel::Values::not_finite
                                               : channel::Values::any);
        body.put(condition->breakpoint.outside ? condition->breakpoint.outside->first : 0.0);
        body.put(condition->breakpoint.outside ? condition->breakpoint.outside->second : 0.0);
        body.put(condition->breakpoint.computation.value_or(0));
        body.put(condition->breakpoint.ignored);
        body.put_text(nodes);
    }
    return channel::frame(Kind::plan, body.take());
}

// Messages from the program
// ---------------------------------------------------------------------------------------------------------

void ProgramView::take_stop(BodyReader body, std::string& out) {
    auto stop = std::make_shared<AttachStop>();
    stop->computation = body.get<std::uint64_t>();
    const auto graph = body.get<std::int32_t>();
    stop->graph = use_graph(graph);
    const auto tensor = body.get<std::int32_t>();
    stop->position = body.get<std::uint32_t>();
    const auto why = body.get<channel::PauseReason>();
    stop->breakpoint = static_cast<int>(body.get<std::uint32_t>());
    stop->hits = body.get<std::uint64_t>();
    stop->time = std::chrono::nanoseconds(body.get<std::int64_t>());
    if (!body.whole() || why > channel::PauseReason::run_to || graph < 0 || graph > newest_graph_)
        refuse_message("stop");
    if (!stop->graph) {
        // It was dropped, as one of too many.
        out += resume(channel::RunTo::breakpoint);
        return;
    }
    stop->tensor = tensor_of(stop->graph.get(), tensor);
    if (tensor >= 0 && !stop->tensor.valid()) refuse_message("stop");
    stop->split = stop->graph->split_of(stop->tensor);
    switch (why) {
        case channel::PauseReason::pause:
            stop->reason = StopReason::pause;
            break;
        case channel::PauseReason::breakpoint:
            stop->reason = StopReason::breakpoint;
            break;
        case channel::PauseReason::step:
            stop->reason = StopReason::step;
            break;
        case channel::PauseReason::run_to:
            stop->reason = StopReason::run_to;
            break;
    }
    stop->number = ++stops_;
    for (StopCondition& condition : conditions_) {
        if (condition.breakpoint.id == stop->breakpoint) condition.breakpoint.hits = stop->hits;
    }
    stop_ = std::move(stop);
}

void ProgramView::take_events(BodyReader body) {
    const auto computation = body.get<std::uint64_t>();
    const auto graph = use_graph(body.get<std::int32_t>());
    constexpr std::size_t kEvent = 40;
    const std::uint32_t count = body.get_count(kEvent);
    if (computation != events_of_) events_.clear();
    events_of_ = computation;
    for (std::uint32_t i = 0; i < count; ++i) {
        AttachEvent event;
        const auto kind = body.get<channel::EventKind>();
        event.is_copy = kind == channel::EventKind::copied;
        event.first = tensor_of(graph.get(), body.get<std::int32_t>());
        event.last = tensor_of(graph.get(), body.get<std::int32_t>());
        const auto split = body.get<std::int32_t>();
        event.start = std::chrono::nanoseconds(body.get<std::int64_t>());
        event.took = std::chrono::nanoseconds(std::max<std::int64_t>(0, body.get<std::int64_t>()));
        event.bytes = body.get<std::uint64_t>();
        if (kind > channel::EventKind::copied) refuse_message("event");
        const std::size_t splits = graph ? graph->captured->recorded.splits.size() : 0;
        if (split >= 0 && static_cast<std::size_t>(split) < splits) event.split = SplitId(split);
        if (event.first.valid() && events_.size() < kMaxComputationEvents) events_.push_back(event);
    }
    if (!body.whole()) refuse_message("event");
}

void ProgramView::take_computed(BodyReader body) {
    auto computation = std::make_shared<Computation>();
    computation->number = body.get<std::uint64_t>();
    computation->graph = use_graph(body.get<std::int32_t>());
    computation->status = body.get<std::int32_t>();
    const auto start = body.get<std::int64_t>();
    const auto end = body.get<std::int64_t>();
    computation->observed = body.get<std::uint32_t>() != 0;
    if (!body.whole() || end < start || start < 0) refuse_message("computation");
    computation->start = std::chrono::nanoseconds(start);
    computation->took = std::chrono::nanoseconds(end - start);
    if (events_of_ == computation->number) computation->events = std::exchange(events_, {});
    ++computation_count_;
    if (computations_.size() >= kMaxComputations) computations_.pop_front();
    computations_.push_back(std::move(computation));
}

void ProgramView::take_stray_write(BodyReader body) {
    StrayWrite write;
    write.computation = body.get<std::uint64_t>();
    write.graph = graph_numbered(body.get<std::int32_t>());
    write.node = tensor_of(write.graph.get(), body.get<std::int32_t>());
    write.tensor = tensor_of(write.graph.get(), body.get<std::int32_t>());
    if (const auto operand = body.get<std::int32_t>(); operand >= 0) write.operand = operand;
    write.offset = body.get<std::uint64_t>();
    write.bytes = body.get<std::uint64_t>();
    if (const auto distance = body.get<std::int64_t>(); distance != channel::kNotNearby)
        write.distance = distance;
    if (!body.whole()) refuse_message("stray write");
    constexpr std::size_t kMax = 4096;
    if (write.node.valid() && stray_writes_.size() < kMax) stray_writes_.push_back(std::move(write));
}

std::vector<std::shared_ptr<const Computation>> ProgramView::take_computations() {
    std::vector<std::shared_ptr<const Computation>> out(std::make_move_iterator(computations_.begin()),
                                                        std::make_move_iterator(computations_.end()));
    computations_.clear();
    return out;
}

void ProgramView::take_reply(Kind kind, BodyReader body) {
    const auto request = body.get<std::uint32_t>();
    ProgramReply reply;
    reply.kind = kind;
    reply.status = body.get<channel::Status>();
    if (kind != Kind::written) {
        const auto other = body.get<std::int32_t>();
        if (stop_) reply.reused_by = tensor_of(stop_->graph.get(), other);
    }
    if (kind == Kind::values) {
        body.get<std::uint64_t>();  // bytes of the whole tensor
        reply.bytes = body.get_text();
    } else if (kind == Kind::statistics) {
        const auto values = body.get<std::uint64_t>();
        const auto nans = body.get<std::uint64_t>();
        const auto infinities = body.get<std::uint64_t>();
        const auto least = body.get<double>();
        const auto most = body.get<double>();
        const auto sum = body.get<double>();
        const auto squares = body.get<double>();
        constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 62;
        if (values > kMaxValues || nans > values || infinities > values - nans) refuse_message("statistics");
        reply.statistics.count = static_cast<std::int64_t>(values);
        reply.statistics.nan = static_cast<std::int64_t>(nans);
        reply.statistics.infinite = static_cast<std::int64_t>(infinities);
        if (const std::int64_t finite = reply.statistics.finite(); finite > 0) {
            const auto n = static_cast<double>(finite);
            reply.statistics.min = static_cast<float>(least);
            reply.statistics.max = static_cast<float>(most);
            reply.statistics.mean = sum / n;
            const double variance = squares / n - reply.statistics.mean * reply.statistics.mean;
            reply.statistics.deviation = std::sqrt(std::max(0.0, variance));
        }
    }
    if (!body.whole() || reply.status > channel::Status::repacked) refuse_message("answer");
    // The request was abandoned.
    while (replies_.size() >= kMaxReplies) replies_.erase(replies_.begin());
    replies_[request] = std::move(reply);
}

std::optional<ProgramReply> ProgramView::take_reply(std::uint32_t request) {
    const auto found = replies_.find(request);
    if (found == replies_.end()) return std::nullopt;
    ProgramReply reply = std::move(found->second);
    replies_.erase(found);
    return reply;
}

}  // namespace splitscope
