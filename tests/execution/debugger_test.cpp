// SPDX-License-Identifier: MIT
#include "engine/execution/debugger.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/execution/rig.hpp"

namespace splitscope::testing {
namespace {

TensorIdentity node(std::string_view text) {
    return TensorIdentity::parse(text);
}

/// CPU: a = p + p. GPU: b = a + w, c = b · x. CPU: out = c + p. The run has its own thread.
class DebuggerTest : public ::testing::Test {
 protected:
    void SetUp() override {
        test::GraphBuilder builder;
        p_ = builder.stored("p", "weights-CPU");
        w_ = builder.stored("w", "weights-GPU0");
        const TensorId a = builder.node("a", Op::add, {p_, p_});
        const TensorId b = builder.node("b", Op::add, {a, w_});
        const TensorId c = builder.node("c", Op::mul, {b, w_});
        out_ = builder.node("out", Op::add, {c, p_});
        ASSERT_TRUE(rig_.prepare(builder.finish()));
        rig_.fill(p_, 1);
        rig_.fill(w_, 10);
    }
    void TearDown() override {
        if (thread_.joinable()) thread_.request_stop();
    }

    void start(Observation observation = Observation::always) {
        ended_ = false;
        observed_.clear();
        thread_ = std::jthread([this, observation](const std::stop_token& stop) {
            const JobContext job(stop);
            const auto schedule = std::make_shared<const Schedule>(rig_.schedule());
            do {
                std::stop_source early;
                const std::stop_callback forward(stop, [&early] { early.request_stop(); });
                const Debugger::Attachment attachment(debugger_, schedule, rig_.graph(), job, early,
                                                      observation);
                EvalCallback callback = attachment.callback();
                observed_.push_back(callback != nullptr);
                execution_ =
                    rig_.compute(std::move(callback), JobContext(early.get_token()), debugger_.times_nodes());
            } while (debugger_.take_rerun() && !stop.stop_requested());
            ended_ = true;
        });
    }
    /// The next stop after `number`; null if the run ended instead.
    std::shared_ptr<const DebugStop> wait(std::uint64_t number = 0) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < deadline) {
            if (auto stop = debugger_.stop(); stop && stop->number > number) return stop;
            if (ended_) return nullptr;
            std::this_thread::yield();
        }
        ADD_FAILURE() << "neither a stop nor an end";
        return nullptr;
    }
    std::string name_at(const std::shared_ptr<const DebugStop>& stop) {
        if (!stop) return "ended";
        return stop->tensor.valid() ? rig_.graph()[stop->tensor].name : "before";
    }
    float first_of(const TensorCapture& capture) {
        float value = 0;
        if (capture.bytes.size() >= sizeof value) std::memcpy(&value, capture.bytes.data(), sizeof value);
        return value;
    }
    int add(BreakpointKind kind, std::string text) {
        Breakpoint breakpoint;
        breakpoint.kind = kind;
        breakpoint.text = std::move(text);
        return debugger_.add(breakpoint);
    }

    Rig rig_{Generation::g2026_08};
    TensorId p_, w_, out_;
    Debugger debugger_;
    Execution execution_;
    std::vector<bool> observed_;  ///< for each time that the graph was computed
    std::atomic<bool> ended_ = false;
    std::jthread thread_;
};

TEST_F(DebuggerTest, RunsThroughWithoutBreakpoints) {
    start();
    EXPECT_EQ(wait(), nullptr);
    EXPECT_EQ(rig_.values(out_).front(), 121);
}

TEST_F(DebuggerTest, StopsAtEachKindOfBreakpoint) {
    const struct {
        BreakpointKind kind;
        const char* text;
        const char* at;
    } cases[] = {{BreakpointKind::node, "b", "b"},
                 {BreakpointKind::glob, "o*", "out"},
                 {BreakpointKind::regex, "^[bc]$", "b"},
                 {BreakpointKind::op, "mul", "c"},
                 {BreakpointKind::backend, "GPU0", "b"}};
    for (const auto& one : cases) {
        const int id = add(one.kind, one.text);
        ended_ = false;
        start();
        const auto stop = wait();
        EXPECT_EQ(name_at(stop), one.at) << one.text;
        ASSERT_NE(stop, nullptr);
        EXPECT_EQ(stop->reason, StopReason::breakpoint);
        EXPECT_EQ(stop->breakpoint, id);
        EXPECT_EQ(debugger_.breakpoints().front().hits, 1U);
        debugger_.remove(id);
        debugger_.resume();
        thread_.join();
    }
}

TEST_F(DebuggerTest, StopsAtTheFirstNonFiniteValue) {
    rig_.fill(w_, std::nanf(""));
    add(BreakpointKind::not_finite, "");
    start();
    EXPECT_EQ(name_at(wait()), "b");
}

TEST_F(DebuggerTest, DisabledBreakpointsAreIgnored) {
    debugger_.enable(add(BreakpointKind::node, "b"), false);
    start();
    EXPECT_EQ(wait(), nullptr);
}

TEST_F(DebuggerTest, RefusesInvalidBreakpoints) {
    EXPECT_THROW(add(BreakpointKind::op, "no such"), Error);
    EXPECT_THROW(add(BreakpointKind::regex, "("), Error);
    EXPECT_THROW(add(BreakpointKind::node, ""), Error);
    EXPECT_TRUE(debugger_.breakpoints().empty());
}

TEST_F(DebuggerTest, StepsNodesAndSplitsAndRunsToANode) {
    debugger_.pause();
    start();
    auto stop = wait();
    EXPECT_EQ(name_at(stop), "before");
    debugger_.step_node();
    stop = wait(stop->number);
    EXPECT_EQ(name_at(stop), "a");
    debugger_.step_split();
    stop = wait(stop->number);
    EXPECT_EQ(name_at(stop), "c");
    EXPECT_EQ(stop->reason, StopReason::step);
    debugger_.run_to(node("out"));
    stop = wait(stop->number);
    EXPECT_EQ(name_at(stop), "out");
    debugger_.resume();
    EXPECT_EQ(wait(stop->number), nullptr);
}

TEST_F(DebuggerTest, ReportsWhetherValuesAreValid) {
    EXPECT_THROW(debugger_.read(node("a")), Error);
    add(BreakpointKind::node, "b");
    start();
    ASSERT_EQ(name_at(wait()), "b");
    const TensorCapture b = debugger_.read(node("b"));
    EXPECT_EQ(b.state, TensorState::computed);
    EXPECT_EQ(b.backend, "GPU0");
    EXPECT_EQ(first_of(b), 12);
    EXPECT_EQ(first_of(debugger_.read(node("w"))), 10);
    EXPECT_EQ(debugger_.read(node("out")).state, TensorState::not_computed);
    EXPECT_THROW(debugger_.read(node("nobody")), Error);
}

TEST_F(DebuggerTest, ReportsMemoryReusedByAnotherTensor) {
    add(BreakpointKind::node, "out");
    start();
    ASSERT_EQ(name_at(wait()), "out");
    // c reuses the memory of b.
    const TensorCapture b = debugger_.read(node("b"));
    EXPECT_EQ(b.state, TensorState::reused);
    EXPECT_EQ(b.reused_by, "c");
}

/// As a recurrent model does with its state: clears a cell, reads it and writes it through another view.
TEST_F(DebuggerTest, ReportsMemoryOverwrittenThroughAnotherView) {
    constexpr Shape kHalf{32, 1, 1, 1};
    constexpr std::int64_t kHalfBytes = 128;
    test::GraphBuilder builder;
    const TensorId p = builder.stored("half", "weights-CPU", kHalf);
    const TensorId state = builder.stored("state", "weights-CPU");
    const TensorId cleared = builder.view("cleared", Op::mul, state, kHalf);
    builder[cleared].src[1] = p;
    const TensorId seen = builder.view("seen", Op::reshape, cleared, kHalf);
    const TensorId next = builder.node("next", Op::add, {seen, p}, kHalf);
    const TensorId other = builder.view("other", Op::add, state, kHalf, kHalfBytes);
    builder[other].src = {next, p};
    const TensorId cell = builder.view("cell", Op::view, state, kHalf);
    const TensorId kept = builder.view("kept", Op::add, cell, kHalf);
    builder[kept].src = {next, next};
    builder.node("end", Op::add, {next, next}, kHalf);
    rig_.scheduler().reset();
    ASSERT_TRUE(rig_.prepare(builder.finish()));
    rig_.fill(p, 2);
    rig_.fill(state, 5);
    add(BreakpointKind::node, "other");
    add(BreakpointKind::node, "end");
    start();
    auto stop = wait();
    ASSERT_EQ(name_at(stop), "other");
    EXPECT_EQ(debugger_.read(node("cleared")).state, TensorState::computed);
    EXPECT_EQ(debugger_.read(node("seen")).state, TensorState::computed);
    debugger_.resume();
    ASSERT_EQ(name_at(wait(stop->number)), "end");
    for (const char* name : {"cleared", "seen"}) {
        const TensorCapture capture = debugger_.read(node(name));
        EXPECT_EQ(capture.state, TensorState::reused) << name;
        EXPECT_EQ(capture.reused_by, "kept") << name;
    }
    for (const char* name : {"kept", "other", "state"})
        EXPECT_EQ(debugger_.read(node(name)).state, TensorState::computed) << name;
    EXPECT_EQ(first_of(debugger_.read(node("state"))), 24);
}

/// Q and K in the columns of one tensor, both changed in place.
TEST_F(DebuggerTest, ColumnsSideBySideDoNotOverwriteEachOther) {
    test::GraphBuilder builder;
    const TensorId p = builder.stored("part", "weights-CPU", {16, 4, 1, 1});
    const TensorId both = builder.stored("both", "weights-CPU", {48, 4, 1, 1});
    const auto change = [&](const char* name, std::int64_t offset) {
        const TensorId id = builder.view(name, Op::mul, both, {16, 4, 1, 1}, offset);
        builder[id].nb = {4, 192, 768, 768};
        builder[id].src = {p, p};
    };
    change("q", 0);
    change("k", 64);
    change("q_again", 0);
    builder.node("end", Op::add, {p, p}, {16, 4, 1, 1});
    rig_.scheduler().reset();
    ASSERT_TRUE(rig_.prepare(builder.finish()));
    add(BreakpointKind::node, "end");
    start();
    ASSERT_EQ(name_at(wait()), "end");
    EXPECT_EQ(debugger_.read(node("q")).reused_by, "q_again");
    EXPECT_EQ(debugger_.read(node("k")).state, TensorState::computed);
    EXPECT_EQ(debugger_.read(node("q_again")).state, TensorState::computed);
}

TEST_F(DebuggerTest, ComputesWithEditedValues) {
    debugger_.pause();
    start();
    ASSERT_EQ(name_at(wait()), "before");
    const std::vector<float> twos(64, 2);
    debugger_.write(node("p"), std::as_bytes(std::span(twos)));
    EXPECT_THROW(debugger_.write(node("p"), std::as_bytes(std::span(twos)).first(4)), Error);
    debugger_.resume();
    EXPECT_EQ(wait(1), nullptr);
    EXPECT_EQ(rig_.values(out_).front(), 142);
}

TEST_F(DebuggerTest, EditsAreNeverReadPartially) {
    constexpr std::size_t kElements = std::size_t{1} << 18;
    test::GraphBuilder builder;
    const Shape row{static_cast<std::int64_t>(kElements), 1, 1, 1};
    const TensorId large = builder.stored("large", "weights-CPU", row);
    builder.node("twice", Op::add, {large, large}, row);
    rig_.scheduler().reset();
    ASSERT_TRUE(rig_.prepare(builder.finish()));
    debugger_.pause();
    start();
    ASSERT_EQ(name_at(wait()), "before");
    const std::vector<float> ones(kElements, 1);
    debugger_.write(node("large"), std::as_bytes(std::span(ones)));
    std::array<std::atomic<int>, 2> seen{};  // how often ones and twos were read
    std::atomic<bool> in_part = false;
    std::jthread reader([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            std::vector<float> values(kElements);
            std::memcpy(values.data(), debugger_.read(node("large")).bytes.data(), kElements * sizeof(float));
            const auto other = std::ranges::find_if(values, [&](float value) { return value != values[0]; });
            if (other == values.end()) {
                ++seen.at(values[0] == 1 ? 0 : 1);
                continue;
            }
            ADD_FAILURE() << *other << " among values of " << values[0];
            in_part = true;
            return;
        }
    });
    // The reader may be late: edit until it has read between edits often enough.
    constexpr int kOften = 10;
    const auto seen_both = [&] { return seen[0] >= kOften && seen[1] >= kOften; };
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (int edit = 0; edit < 200 || !seen_both(); ++edit) {
        if (in_part || std::chrono::steady_clock::now() > deadline) break;
        const std::vector<float> values(kElements, static_cast<float>(edit % 2 + 1));
        debugger_.write(node("large"), std::as_bytes(std::span(values)));
    }
    EXPECT_TRUE(in_part || seen_both()) << seen[0] << " times ones, " << seen[1] << " times twos";
}

TEST_F(DebuggerTest, EditsReachExistingCopies) {
    add(BreakpointKind::node, "a");
    start();
    ASSERT_EQ(name_at(wait()), "a");
    const std::vector<float> fives(64, 5);
    debugger_.write(node("a"), std::as_bytes(std::span(fives)));
    debugger_.resume();
    EXPECT_EQ(wait(1), nullptr);
    EXPECT_EQ(rig_.values(out_).front(), 151);
}

TEST_F(DebuggerTest, RecomputesWithEditedValues) {
    debugger_.pause();
    start();
    auto stop = wait();
    ASSERT_EQ(name_at(stop), "before");
    debugger_.run_to(node("c"));
    stop = wait(stop->number);
    ASSERT_EQ(name_at(stop), "c");
    // b = 12 became 20, c = b · w with w = 10.
    const std::vector<float> twenties(64, 20);
    debugger_.rerun_to(node("b"));
    stop = wait(stop->number);
    ASSERT_EQ(name_at(stop), "b");
    EXPECT_EQ(first_of(debugger_.read(node("b"))), 12);
    debugger_.write(node("b"), std::as_bytes(std::span(twenties)));
    debugger_.rerun_to(node("c"));
    stop = wait(stop->number);
    ASSERT_EQ(name_at(stop), "c");
    EXPECT_EQ(first_of(debugger_.read(node("c"))), 200);
    EXPECT_EQ(stop->computation, 1U);
    debugger_.resume();
    EXPECT_EQ(wait(stop->number), nullptr);
    EXPECT_EQ(rig_.values(out_).front(), 201);
}

TEST_F(DebuggerTest, StepsBackBeforeTheFirstNode) {
    add(BreakpointKind::node, "out");
    start();
    auto stop = wait();
    ASSERT_EQ(name_at(stop), "out");
    debugger_.rerun_to(node(""));
    stop = wait(stop->number);
    EXPECT_EQ(name_at(stop), "before");
    EXPECT_THROW(debugger_.rerun_to(node("nobody")), Error);
    debugger_.resume();
    stop = wait(stop->number);
    EXPECT_EQ(name_at(stop), "out");
    debugger_.resume();
    EXPECT_EQ(wait(stop->number), nullptr);
    EXPECT_THROW(debugger_.rerun_to(node("out")), Error);
}

/// Four tensors of one name, q = 6, a view of it, q · 3 = 18, q + 3 = 21, and out = 24.
class RepeatedNamesTest : public DebuggerTest {
 protected:
    void SetUp() override {
        test::GraphBuilder builder;
        p_ = builder.stored("p", "weights-CPU");
        first_ = builder.node("q", Op::add, {p_, p_});
        view_ = builder.view("q", Op::reshape, first_);
        product_ = builder.node("q", Op::mul, {view_, p_});
        second_ = builder.node("q", Op::add, {product_, p_});
        out_ = builder.node("out", Op::add, {second_, p_});
        unread_ = builder.view("unread", Op::reshape, out_);
        ASSERT_TRUE(rig_.prepare(builder.finish()));
        rig_.fill(p_, 3);
    }
    /// The stops of a run with this breakpoint, in order.
    std::vector<TensorId> stops_of(std::string text) {
        const int id = add(BreakpointKind::node, std::move(text));
        ended_ = false;
        start();
        std::vector<TensorId> stops;
        std::uint64_t number = 0;
        while (const auto stop = wait(number)) {
            number = stop->number;
            stops.push_back(stop->tensor);
            EXPECT_EQ(TensorIdentities(stop->schedule->graph).find(stop->identity), stop->tensor);
            debugger_.resume();
        }
        EXPECT_EQ(debugger_.breakpoints().front().hits, stops.size());
        debugger_.remove(id);
        thread_.join();
        return stops;
    }

    TensorId first_, view_, product_, second_, unread_;
};

TEST_F(RepeatedNamesTest, BreakpointOnOneNodeStopsOnlyThere) {
    EXPECT_EQ(stops_of("q@ADD"), std::vector{first_});
    EXPECT_EQ(stops_of("q@MUL"), std::vector{product_});
    EXPECT_EQ(stops_of("q@ADD#2"), std::vector{second_});
    EXPECT_TRUE(stops_of("q@ADD#3").empty());
    EXPECT_EQ(stops_of("q"), (std::vector{first_, product_, second_}));
}

TEST_F(RepeatedNamesTest, StopForAViewIsItsFirstReader) {
    EXPECT_EQ(stops_of("q@RESHAPE"), std::vector{product_});
    EXPECT_EQ(stops_of("p"), std::vector{first_});
    EXPECT_TRUE(stops_of("unread").empty());
    const Graph& graph = *rig_.schedule().graph;
    EXPECT_EQ(stop_for(graph, graph.nodes, product_), product_);
    EXPECT_EQ(stop_for(graph, graph.nodes, view_), product_);
    EXPECT_EQ(stop_for(graph, graph.nodes, unread_), TensorId());
    EXPECT_EQ(stop_for(graph, graph.nodes, TensorId()), TensorId());
    EXPECT_THROW(require_reachable({0, BreakpointKind::op, "reshape"}), Error);
    EXPECT_NO_THROW(require_reachable({0, BreakpointKind::op, "mul"}));
}

TEST_F(RepeatedNamesTest, ReadsWritesAndRunsToTheExactNode) {
    debugger_.pause();
    start();
    auto stop = wait();
    ASSERT_EQ(name_at(stop), "before");
    const auto run_to = [&](const char* text, TensorId there) {
        debugger_.run_to(node(text));
        stop = wait(stop->number);
        ASSERT_NE(stop, nullptr) << text;
        EXPECT_EQ(stop->tensor, there) << text;
    };
    run_to("q@ADD", first_);
    const TensorCapture first = debugger_.read(node("q@ADD"));
    EXPECT_EQ(first_of(first), 6);
    EXPECT_EQ(text_of(first.identity), "q@ADD");
    EXPECT_EQ(debugger_.read(node("q@MUL")).state, TensorState::not_computed);
    run_to("q@RESHAPE", product_);
    EXPECT_EQ(first_of(debugger_.read(node("q@MUL"))), 18);
    run_to("q@ADD#2", second_);
    EXPECT_EQ(first_of(debugger_.read(node("q@ADD#2"))), 21);
    // Again from the product, which is now 100.
    debugger_.rerun_to(node("q@MUL"));
    stop = wait(stop->number);
    ASSERT_NE(stop, nullptr);
    ASSERT_EQ(stop->tensor, product_);
    const std::vector<float> hundreds(64, 100);
    debugger_.write(node("q@MUL"), std::as_bytes(std::span(hundreds)));
    debugger_.rerun_to(node("q@ADD#2"));
    stop = wait(stop->number);
    ASSERT_NE(stop, nullptr);
    EXPECT_EQ(stop->tensor, second_);
    EXPECT_EQ(first_of(debugger_.read(node("q@ADD#2"))), 103);
    EXPECT_THROW(debugger_.rerun_to(node("unread")), Error);
    debugger_.resume();
    EXPECT_EQ(wait(stop->number), nullptr);
    EXPECT_EQ(rig_.values(out_).front(), 106);
}

class ObservedIfNeededTest : public DebuggerTest {
 protected:
    /// Runs to the end; empty if it stops. Otherwise which computations were observed.
    std::vector<bool> run_through() {
        start(Observation::if_needed);
        const bool stopped = wait() != nullptr;
        if (stopped) thread_.request_stop();
        thread_.join();
        return stopped ? std::vector<bool>() : observed_;
    }
};

TEST_F(ObservedIfNeededTest, OnlyComputationsThatMayStop) {
    EXPECT_EQ(run_through(), std::vector<bool>{false});
    EXPECT_EQ(rig_.values(out_).front(), 121);
    Breakpoint breakpoint;
    breakpoint.text = "b";
    breakpoint.enabled = false;
    const int id = debugger_.add(breakpoint);
    EXPECT_EQ(run_through(), std::vector<bool>{false});
    breakpoint.enabled = true;
    breakpoint.computation = 4;
    debugger_.add(breakpoint);
    EXPECT_EQ(run_through(), std::vector<bool>{false});
    EXPECT_EQ(run_through(), std::vector<bool>{}) << "the fourth";
    debugger_.enable(id, true);
    EXPECT_EQ(run_through(), std::vector<bool>{}) << "the fifth";
}

TEST_F(ObservedIfNeededTest, CommandsDuringAComputationRestartIt) {
    Breakpoint disabled;
    disabled.text = "b";
    disabled.enabled = false;
    const int id = debugger_.add(disabled);
    struct Command {
        std::function<void()> give;
        std::string place;
    };
    const Command commands[] = {{[&] { debugger_.pause(); }, "before"},
                                {[&] { add(BreakpointKind::node, "c"); }, "c"},
                                {[&] { debugger_.enable(id, true); }, "b"}};
    std::uint64_t number = 0;
    std::uint64_t computation = 0;
    for (const Command& command : commands) {
        // In its second split, from the computing thread.
        rig_.gpu.on_compute = [&, given = false]() mutable {
            if (!std::exchange(given, true)) command.give();
        };
        start(Observation::if_needed);
        const auto stop = wait(number);
        ASSERT_EQ(name_at(stop), command.place);
        EXPECT_EQ(stop->computation, ++computation) << "a repeated computation keeps its number";
        number = stop->number;
        for (const Breakpoint& breakpoint : debugger_.breakpoints()) debugger_.enable(breakpoint.id, false);
        debugger_.resume();
        EXPECT_EQ(wait(number), nullptr);
        thread_.join();
        EXPECT_EQ(observed_, (std::vector<bool>{false, true})) << command.place;
        EXPECT_EQ(rig_.values(out_).front(), 121);
    }
}

TEST_F(ObservedIfNeededTest, UnrepeatableComputationsAreNotRestarted) {
    test::GraphBuilder builder;
    p_ = builder.stored("p", "weights-CPU");
    const TensorId state = builder.stored("state", "any-CPU");
    const TensorId a = builder.node("a", Op::add, {state, p_});
    const TensorId written = builder.view("written", Op::add, state);
    builder[written].src = {a, p_};
    builder.node("out", Op::add, {a, p_});
    rig_.scheduler().reset();
    ASSERT_TRUE(rig_.prepare(builder.finish()));
    rig_.cpu.on_compute = [&] { debugger_.pause(); };
    EXPECT_EQ(run_through(), std::vector<bool>{false});
    rig_.cpu.on_compute = nullptr;
    start(Observation::if_needed);
    EXPECT_EQ(name_at(wait()), "before") << "the next one is paused";
}

TEST_F(DebuggerTest, DoesNotReadOversizedTensors) {
    add(BreakpointKind::node, "b");
    start();
    ASSERT_EQ(name_at(wait()), "b");
    EXPECT_THROW(debugger_.read(node("b"), 16), Error);
    EXPECT_EQ(debugger_.read(node("b"), 256).bytes.size(), 256U);
}

TEST_F(DebuggerTest, CancellingEndsAPausedRun) {
    debugger_.pause();
    start();
    ASSERT_NE(wait(), nullptr);
    thread_.request_stop();
    thread_.join();
    EXPECT_TRUE(ended_);
    EXPECT_EQ(execution_.status, Status::aborted);
    EXPECT_EQ(debugger_.stop(), nullptr);
}

TEST_F(DebuggerTest, TimesEveryNode) {
    debugger_.time_nodes(true);
    start();
    EXPECT_EQ(wait(), nullptr);
    std::size_t nodes = 0;
    for (const ExecutionEvent& event : execution_.events) {
        if (event.kind != ExecutionEventKind::compute) continue;
        EXPECT_EQ(event.first_node, event.last_node);
        ++nodes;
    }
    EXPECT_EQ(nodes, 4U);
}

}  // namespace
}  // namespace splitscope::testing
