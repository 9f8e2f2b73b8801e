// SPDX-License-Identifier: MIT
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "engine/tensor/shape.hpp"
#include "splitscope/splitscope.hpp"

namespace splitscope {
namespace {

Session session() {
    Session session = open_with(sample_model_path());
    session.model_options.gpu_layers = 2;
    session.model_options.flash_attention = session.model_options.flash_attention_if_supported = false;
    return session;
}

RunOptions short_run() {
    RunOptions options;
    options.prompt = "My father";
    options.tokens = 3;
    return options;
}

Breakpoint at_op(const std::string& op) {
    Breakpoint breakpoint;
    breakpoint.kind = BreakpointKind::op;
    breakpoint.text = op;
    return breakpoint;
}

TEST(LibraryRunTest, EventsArriveOnTheCallingThread) {
    const auto here = std::this_thread::get_id();
    RunEvents events;
    std::string text;
    events.on_token = [&](const RunStep& step) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        text += step.piece;
    };
    std::vector<std::shared_ptr<const std::vector<std::byte>>> kept;
    events.on_node = [&](const NodeValues& node) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        EXPECT_EQ(node.bytes->size(), byte_size(node.tensor()));
        kept.push_back(node.bytes);
    };
    const RunResult result = run(session(), short_run(), events);
    EXPECT_EQ(result.text, text);
    EXPECT_EQ(result.tokens.size(), 3U);
    EXPECT_EQ(result.text, run_model(session(), short_run()).text);
    EXPECT_GT(kept.size(), 100U);
    // The bytes of each node are its own.
    EXPECT_EQ(kept.front().use_count(), 1);
    EXPECT_NE(kept.front()->data(), kept.back()->data());
}

TEST(LibraryRunTest, CallbackHandlesBreakpoints) {
    RunEvents events;
    events.breakpoints = {at_op("SOFT_MAX")};
    std::vector<StopReason> reasons;
    events.on_stop = [&](PausedRun& run) {
        reasons.push_back(run.stop().reason);
        const TensorCapture values = run.tensor(text_of(run.stop().identity));
        EXPECT_EQ(values.state, TensorState::computed);
        EXPECT_EQ(values.bytes.size(), byte_size(values.tensor));
        if (reasons.size() == 1) {
            EXPECT_EQ(values.tensor.op, Op::soft_max);
            EXPECT_THROW(run.tensor("no such tensor"), Error);
            return Go::step_node;
        }
        return reasons.size() < 3 ? Go::on : Go::end;
    };
    const RunResult result = run(session(), short_run(), events);
    EXPECT_EQ(reasons, (std::vector{StopReason::breakpoint, StopReason::step, StopReason::breakpoint}));
    EXPECT_TRUE(result.cancelled);
}

TEST(LibraryRunTest, ReadsBackWrittenValues) {
    RunEvents events;
    events.want_logits = true;
    events.breakpoints = {{.kind = BreakpointKind::node, .text = "l_out-0"}};
    events.on_stop = [](PausedRun& run) {
        const TensorCapture values = run.tensor("l_out-0");
        run.write("l_out-0", std::vector<std::byte>(values.bytes.size()));
        EXPECT_THROW(run.write("l_out-0", std::vector<std::byte>(1)), Error);
        return Go::on;
    };
    const RunResult changed = run(session(), short_run(), events);
    RunEvents plain;
    plain.want_logits = true;
    EXPECT_NE(changed.logits.front(), run(session(), short_run(), plain).logits.front());
}

TEST(LibraryRunTest, ExceptionsInCallbacksEndTheRun) {
    RunEvents events;
    int tokens = 0;
    events.on_token = [&](const RunStep&) {
        ++tokens;
        throw std::out_of_range("mine");
    };
    EXPECT_THROW(run(session(), short_run(), events), std::out_of_range);
    EXPECT_EQ(tokens, 1);

    RunEvents stops;
    stops.breakpoints = {at_op("SOFT_MAX")};
    stops.on_stop = [](PausedRun&) -> Go { throw std::out_of_range("mine"); };
    EXPECT_THROW(run(session(), short_run(), stops), std::out_of_range);
}

/// Error of a run with this breakpoint, which calls nothing.
Error refusal_of(const Breakpoint& breakpoint, Session model = session(), RunOptions options = short_run()) {
    RunEvents events;
    events.breakpoints = {at_op("SOFT_MAX"), breakpoint};
    events.on_stop = [](PausedRun&) { return Go::on; };
    try {
        (void)run(model, options, events);
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "no error for " << breakpoint.text;
    return {ErrorKind::internal, Message(), {}, Message()};
}

TEST(LibraryRunTest, RefusesBreakpointsThatNoNodeMatches) {
    const struct {
        Breakpoint breakpoint;
        const char* remedy;
    } cases[] = {{{.kind = BreakpointKind::node, .text = "l_uot-0"}, "l_out-0"},
                 {{.kind = BreakpointKind::node, .text = "l_out-0@MUL"}, "l_out-0@ADD"},
                 {{.kind = BreakpointKind::glob, .text = "l_uot-*"}, "l_out-"},
                 {{.kind = BreakpointKind::regex, .text = "^nosuch$"}, "names are"},
                 {{.kind = BreakpointKind::op, .text = "POOL_2D"}, "names are"},
                 {{.kind = BreakpointKind::backend, .text = "GPU7"}, "GPU0"},
                 {{.kind = BreakpointKind::op, .text = "SOFT_MAX", .split = 99}, "split"},
                 {{.kind = BreakpointKind::not_finite, .text = "", .split = 99}, "split"}};
    for (const auto& one : cases) {
        const Error error = refusal_of(one.breakpoint);
        EXPECT_EQ(error.kind(), ErrorKind::unknown) << one.breakpoint.text;
        EXPECT_NE(english(error.remedy()).find(one.remedy), std::string::npos)
            << one.breakpoint.text << ": " << english(error.remedy());
    }
    EXPECT_EQ(refusal_of(at_op("VIEW")).kind(), ErrorKind::usage);
}

TEST(LibraryRunTest, RefusesUnmatchedBreakpointsInRunsOfManyGraphs) {
    const Breakpoint unmatched{.kind = BreakpointKind::node, .text = "nosuch"};
    RunOptions options = short_run();
    options.prompt_tokens.assign(600, 5);
    Session longer = session();
    longer.model_options.context = 1024;
    EXPECT_EQ(refusal_of(unmatched, longer, options).kind(), ErrorKind::unknown);
    options.tokens = 1;
    EXPECT_EQ(refusal_of(unmatched, longer, options).kind(), ErrorKind::unknown);
    Session older = session();
    older.generation = Generation::g2024_10;
    EXPECT_EQ(refusal_of(unmatched, older).kind(), ErrorKind::unknown);
}

TEST(LibraryRunTest, ListsBreakpointsThatNeverStoppedTheRun) {
    RunEvents events;
    const auto named = [](std::uint64_t computation) {
        return Breakpoint{.kind = BreakpointKind::node, .text = "l_out-0", .computation = computation};
    };
    Breakpoint disabled = named(98);
    disabled.enabled = false;
    events.breakpoints = {named(3), named(99), disabled, {.kind = BreakpointKind::not_finite, .text = ""}};
    int stops = 0;
    events.on_stop = [&](PausedRun&) {
        ++stops;
        return Go::on;
    };
    EXPECT_EQ(run(session(), short_run(), events).unmet_breakpoints, (std::vector{2, 4}));
    EXPECT_EQ(stops, 1);

    // Both stop at the same node.
    events.breakpoints = {named(3), {.kind = BreakpointKind::op, .text = "ADD", .computation = 3}};
    EXPECT_TRUE(run(session(), short_run(), events).unmet_breakpoints.empty());
    events.breakpoints = {named(3), named(3)};
    EXPECT_TRUE(run(session(), short_run(), events).unmet_breakpoints.empty());
    EXPECT_TRUE(run(session(), short_run()).unmet_breakpoints.empty());
}

TEST(LibraryRunTest, RefusesInvalidCommands) {
    RunEvents events;
    events.breakpoints = {at_op("SOFT_MAX")};
    EXPECT_THROW(run(session(), short_run(), events), Error);
    events.on_stop = [](PausedRun&) { return Go::on; };
    events.on_node = [](const NodeValues&) {};
    EXPECT_THROW(run(session(), short_run(), events), Error);
}

TEST(LibraryRunTest, JobStopsAPausedRun) {
    std::stop_source stop;
    RunEvents events;
    events.breakpoints = {at_op("SOFT_MAX")};
    events.on_stop = [&](PausedRun&) {
        stop.request_stop();
        return Go::on;
    };
    EXPECT_TRUE(run(session(), short_run(), events, JobContext(stop.get_token())).cancelled);
}

}  // namespace
}  // namespace splitscope
