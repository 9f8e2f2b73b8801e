// SPDX-License-Identifier: MIT
#include "splitscope/run.hpp"

#include <algorithm>
#include <utility>

#include "engine/execution/require_stops.hpp"
#include "engine/library/caller_thread.hpp"
#include "engine/library/messages.hpp"

namespace splitscope {
namespace {

void require_consistent(const RunEvents& events) {
    if (events.breakpoints.empty()) return;
    if (events.on_node) throw Error(ErrorKind::usage, msg::kNodesOrBreakpoints, {}, msg::kLeaveOneOut);
    if (!events.on_stop) throw Error(ErrorKind::usage, msg::kBreakpointsWithoutAnswer, {}, msg::kGiveOnStop);
    for (const Breakpoint& breakpoint : events.breakpoints) require_reachable(breakpoint);
}

/// Breakpoints that no node of the graphs so far matches.
class UnmatchedBreakpoints {
 public:
    explicit UnmatchedBreakpoints(const std::vector<Breakpoint>& breakpoints) {
        for (const Breakpoint& breakpoint : breakpoints)
            if (breakpoint.enabled) left_.push_back(breakpoint);
    }
    void look_at(std::shared_ptr<const Analysis> analysis) {
        std::erase_if(left_, [&](const Breakpoint& breakpoint) {
            return can_stop(breakpoint, *analysis->schedule, *analysis->identities);
        });
        last_ = std::move(analysis);
    }
    void require_none() const {
        if (!left_.empty()) require_stops(left_.front(), *last_->schedule, *last_->identities);
    }

 private:
    std::vector<Breakpoint> left_;
    std::shared_ptr<const Analysis> last_;
};

/// Calls on_stop at each stop, on the caller's thread.
class Stops {
 public:
    Stops(const RunEvents& events, CallerThread& caller)
        : on_stop_(events.on_stop), caller_(caller), debugger_([this](std::shared_ptr<const DebugStop> stop) {
              if (stop) caller_.post([this, stop = std::move(stop)] { answer(*stop); });
          }) {
        for (const Breakpoint& breakpoint : events.breakpoints) debugger_.add(breakpoint);
    }

    Debugger& debugger() { return debugger_; }
    /// Ends the run if requested by a callback.
    void end_with(std::stop_source stop) { stop_ = std::move(stop); }

 private:
    void answer(const DebugStop& stop) {
        PausedRun standing(debugger_, stop);
        switch (on_stop_(standing)) {
            case Go::on:
                debugger_.resume();
                return;
            case Go::step_node:
                debugger_.step_node();
                return;
            case Go::step_split:
                debugger_.step_split();
                return;
            case Go::end:
                stop_.request_stop();
                return;
        }
    }

    std::function<Go(PausedRun&)> on_stop_;
    CallerThread& caller_;
    Debugger debugger_;
    std::stop_source stop_;
};

}  // namespace

TensorCapture PausedRun::tensor(std::string_view text) {
    return debugger_.read(TensorIdentity::parse(text));
}

void PausedRun::write(std::string_view text, std::span<const std::byte> bytes) {
    debugger_.write(TensorIdentity::parse(text), bytes);
}

RunResult run(const Session& session, const RunOptions& options, const RunEvents& events,
              const JobContext& job) {
    require_consistent(events);
    CallerThread caller;
    std::shared_ptr<Stops> stops;
    RunObserver observer;
    observer.want_logits = events.want_logits;
    if (events.on_token) {
        observer.on_token = [&](const RunStep& step) { caller.call([&] { events.on_token(step); }); };
    }
    if (events.on_message) {
        observer.on_message = [&](const BackendMessage& message) {
            caller.call([&] { events.on_message(message); });
        };
    }
    if (events.on_node) {
        observer.on_node = [&](const Analysis& analysis, TensorId node, std::vector<std::byte> bytes) {
            const NodeValues values{analysis, node,
                                    std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
            caller.call([&] { events.on_node(values); });
        };
    }
    std::stop_source stop;
    const std::stop_callback forward(job.stop_token(), [&stop] { stop.request_stop(); });
    UnmatchedBreakpoints unmatched(events.breakpoints);
    if (!events.breakpoints.empty()) {
        observer.on_graph = [&](const std::shared_ptr<const Analysis>& analysis) {
            unmatched.look_at(analysis);
        };
        observer.on_all_graphs = [&] { unmatched.require_none(); };
        stops = std::make_shared<Stops>(events, caller);
        stops->end_with(stop);
        observer.debugger = std::shared_ptr<Debugger>(stops, &stops->debugger());
    }
    RunResult result;
    caller.run(
        JobContext(stop.get_token()).with(job.memory_bound()),
        [&](const JobContext& inner) { result = run_model(session, options, observer, inner); },
        events.while_waiting);
    return result;
}

}  // namespace splitscope
