// SPDX-License-Identifier: MIT
// Computing the splits: scheduler.md §7, and §10 for 2024-01.
#include "engine/execution/executor.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "tests/execution/rig.hpp"
#include "tests/support/generation_cases.hpp"

namespace splitscope::testing {
namespace {

/// CPU: a = p + p. GPU: b = a + w, c = b · x (x is the user's). CPU: out = c + p.
struct ThreeSplits {
    ThreeSplits() {
        test::GraphBuilder builder;
        p = builder.stored("p", "weights-CPU");
        w = builder.stored("w", "weights-GPU0");
        x = builder.stored("x", "any-CPU");
        builder[x].flags = TensorFlags::input;
        a = builder.node("a", Op::add, {p, p});
        b = builder.node("b", Op::add, {a, w});
        c = builder.node("c", Op::mul, {b, x});
        out = builder.node("out", Op::add, {c, p});
        graph = builder.finish();
    }
    void prepare(Rig& rig) const {
        ASSERT_TRUE(rig.prepare(graph));
        ASSERT_EQ(rig.schedule().splits.size(), 3u);
        rig.fill(p, 1);
        rig.fill(w, 10);
        rig.fill(x, 2);
    }

    TensorId p, w, x, a, b, c, out;
    std::shared_ptr<const Graph> graph;
};

/// Failure modes of a device, and the failing call.
enum class How { lost, no_memory, own_exception, failed_status };
enum class Where { compute, copy, synchronize };

Hook& hook_of(HostDevice& device, Where where) {
    switch (where) {
        case Where::compute:
            return device.on_compute;
        case Where::copy:
            return device.on_copy;
        case Where::synchronize:
            return device.on_synchronize;
    }
    return device.on_compute;
}

/// During its lifetime, a device fails at its n-th call of a kind. A lost device fails at every later call,
/// too.
class Fault {
 public:
    Fault(HostDevice& device, Where where, How how, int n) : device_(device), how_(how), left_(n) {
        for (const Where each : {Where::compute, Where::copy, Where::synchronize})
            hook_of(device, each) = [this, counts = each == where] { count(counts); };
    }
    ~Fault() {
        device_.on_compute = device_.on_copy = device_.on_synchronize = nullptr;
        device_.next_status = Status::success;
    }
    Fault(const Fault&) = delete;
    Fault& operator=(const Fault&) = delete;

    bool came_up() const { return came_up_at_ > 0; }
    /// Calls of all devices afterwards.
    CallLog afterwards() const {
        const CallLog& log = device_.log();
        return {log.begin() + static_cast<std::ptrdiff_t>(came_up_at_), log.end()};
    }

 private:
    void count(bool counts) {
        device_.next_status = Status::success;
        const bool again = how_ == How::lost && came_up();
        if (!again && (!counts || --left_ != 0)) return;
        if (!again) came_up_at_ = device_.log().size();
        switch (how_) {
            case How::lost:
                throw Error(ErrorKind::state, Message::verbatim("device lost"), device_.name());
            case How::no_memory:
                throw std::bad_alloc();
            case How::own_exception:
                throw std::runtime_error("a driver's own exception");
            case How::failed_status:
                device_.next_status = Status::failed;
        }
    }

    HostDevice& device_;
    How how_;
    int left_;
    std::size_t came_up_at_ = 0;  ///< lines of the log until then
};

/// Its status or exception.
std::string end_of_run(Rig& rig) {
    try {
        return std::string(name_of(rig.compute().status));
    } catch (const Error& error) {
        return std::string(name_of(error.kind())) + ": " + english(error.problem());
    } catch (const std::bad_alloc&) {
        return "no memory";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

class ExecutorTest : public ::testing::TestWithParam<Generation> {
 protected:
    bool is(Generation generation) const { return GetParam() == generation; }

    std::string end_after(How how) const {
        switch (how) {
            case How::lost:
                return "state: device lost";
            case How::no_memory:
                return "no memory";
            case How::own_exception:
                return "a driver's own exception";
            case How::failed_status:
                break;
        }
        // The early generation ignores the status (scheduler.md §10).
        return is(Generation::g2024_01) ? "success" : "failed";
    }

    /// A run with this fault, and one after it. False if there is no n-th call.
    bool fails(bool on_gpu, Where where, How how, int n) const {
        Rig rig(GetParam());
        three_.prepare(rig);
        const CallLog both = {"GPU0 synchronize", "CPU synchronize"};
        bool came_up = false;
        {
            const Fault fault(on_gpu ? rig.gpu : rig.cpu, where, how, n);
            const std::string end = end_of_run(rig);
            came_up = fault.came_up();
            EXPECT_EQ(end, came_up ? end_after(how) : "success");
            EXPECT_EQ(end == "success" ? CallLog(rig.log.end() - 2, rig.log.end()) : fault.afterwards(),
                      both);
        }
        rig.fill(three_.w, 20);
        EXPECT_EQ(rig.compute().status, Status::success);
        EXPECT_EQ(rig.values(three_.out), std::vector<float>(64, 45));
        return came_up;
    }

    ThreeSplits three_;
};

TEST_P(ExecutorTest, CopiesInputsAndWaitsPerGeneration) {
    Rig rig(GetParam());
    three_.prepare(rig);
    EXPECT_EQ(rig.compute().status, Status::success);
    if (is(Generation::g2024_01)) {
        EXPECT_EQ(rig.log, (CallLog{"CPU compute a", "GPU0 set GPU0#a +0 256", "GPU0 set GPU0#x +0 256",
                                    "GPU0 compute b c", "GPU0 read", "CPU compute out", "GPU0 synchronize",
                                    "CPU synchronize"}))
            << "nothing is waited for before the end";
    } else {
        EXPECT_EQ(rig.log, (CallLog{"CPU compute a",                                           //
                                    "GPU0 synchronize", "GPU0 declines a", "CPU synchronize",  //
                                    "GPU0 synchronize", "GPU0 write",                          //
                                    "GPU0 synchronize", "GPU0 write",                          // x, at once
                                    "GPU0 compute b c",                                        //
                                    "CPU synchronize", "CPU declines c", "GPU0 synchronize",   //
                                    "CPU synchronize", "GPU0 read", "CPU compute out",         //
                                    "GPU0 synchronize", "CPU synchronize"}));
    }
    for (const float value : rig.values(three_.out)) EXPECT_EQ(value, 25);
}

TEST_P(ExecutorTest, EventsMakeTheDeviceQueueWait) {
    if (is(Generation::g2024_01)) {
        Rig rig(GetParam(), {.parallel = true, .events = true});
        EXPECT_EQ(rig.scheduler().copy_count(), 1) << "this generation has neither copies nor events";
        return;
    }
    Rig rig(GetParam(), {.parallel = true, .events = true});
    rig.gpu.async_copies = true;
    three_.prepare(rig);
    EXPECT_EQ(rig.compute().status, Status::success);
    CallLog expected = {"CPU compute a"};
    if (is(Generation::g2026_08)) expected.emplace_back("CPU record");
    const CallLog rest = {"GPU0 wait",
                          "GPU0 copy a",  //
                          "GPU0 event-synchronize",
                          "GPU0 write",  //
                          "GPU0 compute b c",
                          "GPU0 record",  //
                          "CPU wait",
                          "CPU declines c",
                          "GPU0 synchronize",  //
                          "CPU event-synchronize",
                          "GPU0 read",
                          "CPU compute out",
                          "CPU record",  //
                          "GPU0 synchronize",
                          "CPU synchronize"};
    expected.insert(expected.end(), rest.begin(), rest.end());
    EXPECT_EQ(rig.log, expected);
    for (const float value : rig.values(three_.out)) EXPECT_EQ(value, 25);
}

TEST_P(ExecutorTest, EntersInputlessSplitsOnlyIn2026) {
    test::GraphBuilder builder;
    const TensorId w = builder.stored("w", "weights-GPU0");
    const TensorId p = builder.stored("p", "weights-CPU");
    builder.node("g", Op::add, {w, w});
    builder.node("h", Op::add, {p, p});
    const auto graph = builder.finish();
    for (const bool events : {false, true}) {
        Rig rig(GetParam(), {.parallel = events, .events = events});
        ASSERT_TRUE(rig.prepare(graph));
        rig.compute();
        CallLog expected = {"GPU0 compute g"};
        if (is(Generation::g2026_08)) {
            if (events) expected.emplace_back("GPU0 record");
            expected.emplace_back(events ? "GPU0 event-synchronize" : "GPU0 synchronize");
        }
        expected.emplace_back("CPU compute h");
        if (is(Generation::g2026_08) && events) expected.emplace_back("CPU record");
        expected.insert(expected.end(), {"GPU0 synchronize", "CPU synchronize"});
        EXPECT_EQ(rig.log, expected);
    }
}

TEST_P(ExecutorTest, UsesTheBackendsOrderIn2026) {
    test::GraphBuilder builder;
    const TensorId w = builder.stored("w", "weights-GPU0");
    const TensorId p = builder.stored("p", "weights-CPU");
    for (const char* name : {"g0", "g1", "g2"}) builder.node(name, Op::add, {w, w});
    builder.node("h", Op::add, {p, p});
    Rig rig(GetParam());
    rig.gpu.reverses = true;
    ASSERT_TRUE(rig.prepare(builder.finish()));
    rig.compute();
    EXPECT_EQ(rig.log.front(), is(Generation::g2026_08) ? "GPU0 compute g2 g1 g0" : "GPU0 compute g0 g1 g2");
    EXPECT_NE(std::ranges::find(rig.log, "CPU compute h"), rig.log.end());
    CallLog asked;
    const auto callback = [&](TensorId id, bool) {
        asked.push_back(rig.graph()[id].name);
        return false;
    };
    rig.compute(callback);
    EXPECT_EQ(asked.front(), is(Generation::g2026_08) ? "g2" : "g0");
}

TEST_P(ExecutorTest, FailureEndsTheRunExceptIn2024January) {
    Rig rig(GetParam());
    three_.prepare(rig);
    rig.gpu.next_status = Status::allocation_failed;
    const Execution execution = rig.compute();
    const bool last_ran = std::ranges::find(rig.log, "CPU compute out") != rig.log.end();
    if (is(Generation::g2024_01)) {
        EXPECT_EQ(execution.status, Status::success);
        EXPECT_TRUE(last_ran);
    } else {
        EXPECT_EQ(execution.status, Status::allocation_failed);
        EXPECT_FALSE(last_ran);
    }
    EXPECT_EQ(rig.log.back(), "CPU synchronize") << "also after a failure";
}

TEST_P(ExecutorTest, FailedSplitRecordsNoEvent) {
    if (is(Generation::g2024_01)) return;
    Rig rig(GetParam(), {.parallel = true, .events = true});
    three_.prepare(rig);
    rig.gpu.next_status = Status::failed;
    EXPECT_EQ(rig.compute().status, Status::failed);
    EXPECT_EQ(std::ranges::count(rig.log, "GPU0 record"), 0);
    EXPECT_EQ(rig.scheduler().current_copy(), 0);
}

TEST_P(ExecutorTest, ExceptionsWaitForQueuedWork) {
    Rig rig(GetParam());
    three_.prepare(rig);
    rig.gpu.on_compute = [] { throw Error(ErrorKind::range, Message::verbatim("row 7 of 3"), "b"); };
    EXPECT_THROW(rig.compute(), Error);
    ASSERT_GE(rig.log.size(), 2u);
    EXPECT_EQ(rig.log[rig.log.size() - 2], "GPU0 synchronize");
    EXPECT_EQ(rig.log.back(), "CPU synchronize");
}

TEST_P(ExecutorTest, RecoversFromFailureAtAnyBackendCall) {
    for (const bool on_gpu : {true, false}) {
        for (const Where where : {Where::compute, Where::copy, Where::synchronize}) {
            for (const How how : {How::lost, How::no_memory, How::own_exception, How::failed_status}) {
                // Copying and waiting have no status.
                if (how == How::failed_status && where != Where::compute) continue;
                int n = 1;
                for (bool failed = true; failed; ++n) {
                    SCOPED_TRACE(::testing::Message()
                                 << (on_gpu ? "GPU0" : "CPU") << ", place " << static_cast<int>(where)
                                 << ", fault " << static_cast<int>(how) << ", call " << n);
                    failed = fails(on_gpu, where, how, n);
                }
                // In 2024-01 the other side performs each copy that involves the CPU.
                const bool is_asked = on_gpu || where != Where::copy || !is(Generation::g2024_01);
                EXPECT_EQ(n > 2, is_asked) << "place " << static_cast<int>(where);
            }
        }
    }
}

TEST_P(ExecutorTest, FailureDuringAWaitDoesNotEndOthers) {
    Rig rig(GetParam());
    three_.prepare(rig);
    rig.cpu.on_compute = [] { throw std::bad_alloc(); };
    rig.gpu.on_synchronize = [] { throw std::runtime_error("a driver's own exception"); };
    EXPECT_EQ(end_of_run(rig), "no memory") << "the first fault";
    EXPECT_EQ(rig.log, (CallLog{"CPU compute a", "GPU0 synchronize", "CPU synchronize"}));
}

TEST_P(ExecutorTest, RecordsStepsWithTimes) {
    Rig rig(GetParam());
    three_.prepare(rig);
    const Execution execution = rig.compute();
    std::vector<ExecutionEventKind> kinds;
    std::chrono::nanoseconds last{};
    for (const ExecutionEvent& event : execution.events) {
        kinds.push_back(event.kind);
        EXPECT_LE(last, event.start);
        EXPECT_LE(event.start, event.end);
        last = event.end;
    }
    using enum ExecutionEventKind;
    EXPECT_EQ(kinds, (std::vector{compute, copy, copy, compute, copy, compute}));
    EXPECT_EQ(execution.events[1].tensor, three_.a);
    EXPECT_EQ(execution.events[1].bytes, 256u);
    EXPECT_EQ(execution.events[3].first_node, 1u);
    EXPECT_EQ(execution.events[3].last_node, 2u);
    EXPECT_LE(last, execution.duration);
}

TEST_P(ExecutorTest, WantedTensorsAreReadAfterSuccess) {
    Rig rig(GetParam());
    three_.prepare(rig);
    std::vector<float> values(rig.values(three_.out).size(), -1.0F);
    const WantedTensor wanted{three_.out, std::as_writable_bytes(std::span(values))};
    ExecutorOptions options;
    options.wanted = {&wanted, 1};
    const Execution execution = rig.computer().compute(options);
    EXPECT_EQ(execution.status, Status::success);
    EXPECT_EQ(values, rig.values(three_.out));
    ASSERT_EQ(execution.work.size(), 2U) << "one for each backend";
    EXPECT_FALSE(execution.work[0].has_value()) << "which counts nothing";
}

TEST_P(ExecutorTest, RepeatedSplitsUseBackendPlans) {
    Rig rig(GetParam());
    rig.cpu.makes_plans = true;
    three_.prepare(rig);
    const auto count = [&rig](const char* line) { return std::ranges::count(rig.log, line); };
    Execution run = rig.compute();
    EXPECT_EQ(count("CPU plan"), 0) << "what runs once needs none";
    EXPECT_EQ(run.plans_computed, 0u);
    run = rig.compute();
    EXPECT_EQ(count("CPU plan"), 2) << "one for each of its splits";
    EXPECT_EQ(run.plans_made, 2u);
    EXPECT_EQ(run.plans_computed, 2u);
    rig.fill(three_.w, 20);
    for (int again = 0; again < 3; ++again) {
        run = rig.compute();
        EXPECT_EQ(count("CPU plan"), 0);
        EXPECT_EQ(count("CPU by plan"), 2);
        EXPECT_EQ(run.plans_made, 0u);
        EXPECT_EQ(run.plans_computed, 2u);
    }
    for (const float value : rig.values(three_.out)) EXPECT_EQ(value, 45);
    rig.compute({}, {}, true);
    EXPECT_EQ(count("CPU by plan"), 0) << "nodes are timed one by one";
}

TEST_P(ExecutorTest, PlansAreMadeAheadForBackendsThatPreferThem) {
    Rig rig(GetParam());
    rig.cpu.makes_plans = true;
    rig.cpu.plans_ahead = true;
    three_.prepare(rig);
    Backend* const two[] = {&rig.scheduler().backend(0), &rig.scheduler().backend(1)};
    Executor executor(two, 1);
    SplitPlans plans;
    const WantedTensor wanted{three_.out, {}};
    ExecutorOptions options;
    options.plans = &plans;
    options.wanted = {&wanted, 1};
    rig.log.clear();
    executor.prepare(rig.schedule(), rig.graph(), options);
    const auto count = [&rig](const char* line) { return std::ranges::count(rig.log, line); };
    EXPECT_EQ(count("CPU plan"), 2) << "one for each of its splits";
    EXPECT_EQ(count("GPU plan"), 0);
    EXPECT_EQ(plans.made(), 2U);
    const auto bytes = std::to_string(byte_size(rig.graph()[three_.out]));
    const std::string room = "CPU makes room for " + bytes + " " + rig.graph()[three_.out].name;
    EXPECT_EQ(count(room.c_str()), 1) << "the last split";
    options.wanted = {};
    const Execution run = executor.run(rig.schedule(), rig.graph(), options);
    EXPECT_EQ(run.plans_made, 0U);
    EXPECT_EQ(run.plans_computed, 2U);
    for (const float value : rig.values(three_.out)) EXPECT_EQ(value, 25);

    SplitPlans none;
    options.plans = &none;
    rig.cpu.lacks_memory_for_plans = true;
    executor.prepare(rig.schedule(), rig.graph(), options);
    EXPECT_EQ(none.made(), 0U);
    EXPECT_EQ(executor.run(rig.schedule(), rig.graph(), options).status, Status::success);

    rig.log.clear();
    std::stop_source stop;
    stop.request_stop();
    executor.prepare(rig.schedule(), rig.graph(), options, JobContext(stop.get_token()));
    EXPECT_TRUE(rig.log.empty());
}

TEST_P(ExecutorTest, ComputesWithoutPlansWhenMemoryIsShort) {
    Rig rig(GetParam());
    rig.cpu.makes_plans = true;
    rig.cpu.lacks_memory_for_plans = true;
    three_.prepare(rig);
    rig.compute();
    EXPECT_EQ(rig.compute().status, Status::success);
    for (const float value : rig.values(three_.out)) EXPECT_EQ(value, 25);
}

TEST_P(ExecutorTest, RefusesInvalidSchedules) {
    Rig rig(GetParam());
    EXPECT_THROW(rig.compute(), Error) << "nothing is prepared";
    three_.prepare(rig);
    const std::unique_ptr<Backend> alone = rig.cpu.new_backend();
    Backend* const one[] = {alone.get()};
    EXPECT_THROW(Executor(one, 1).run(rig.schedule(), rig.graph()), Error);
    Schedule failed = rig.schedule();
    failed.error = ScheduleError{};
    Backend* const two[] = {&rig.scheduler().backend(0), &rig.scheduler().backend(1)};
    EXPECT_THROW(Executor(two, 1).run(failed, rig.graph()), Error);
}

/// Five nodes on the CPU, one on the GPU, one on the CPU.
class EvalCallbackTest : public ::testing::TestWithParam<Generation> {
 protected:
    EvalCallbackTest() : rig_(GetParam()) {
        test::GraphBuilder builder;
        const TensorId p = builder.stored("p", "weights-CPU");
        const TensorId w = builder.stored("w", "weights-GPU0");
        TensorId last = p;
        for (const char* name : {"n0", "n1", "n2", "n3", "n4"}) last = builder.node(name, Op::add, {last, p});
        last = builder.node("g", Op::add, {last, w});
        builder.node("z", Op::add, {last, p});
        EXPECT_TRUE(rig_.prepare(builder.finish()));
    }

    /// A callback that requests the named nodes and continues after each one not in `leaves`.
    EvalCallback wanting(std::vector<std::string> wanted, std::vector<std::string> leaves = {}) {
        return [this, wanted = std::move(wanted), leaves = std::move(leaves)](TensorId id, bool ask) {
            const std::string& name = rig_.graph()[id].name;
            calls_.push_back((ask ? "ask " : "see ") + name);
            if (ask) return std::ranges::find(wanted, name) != wanted.end();
            return std::ranges::find(leaves, name) == leaves.end();
        };
    }
    /// The computations and the following calls on the same backend.
    CallLog log_of(const std::string& prefix) const {
        CallLog found;
        for (const std::string& line : rig_.log) {
            if (line.starts_with(prefix)) found.push_back(line);
        }
        return found;
    }

    Rig rig_;
    CallLog calls_;
};

TEST_P(EvalCallbackTest, AsksOncePerNodeAndComputesUpToWantedOnes) {
    EXPECT_EQ(rig_.compute(wanting({"n1", "n2"})).status, Status::success);
    EXPECT_EQ(calls_, (CallLog{"ask n0", "ask n1", "see n1", "ask n2", "see n2", "ask n3", "ask n4", "ask g",
                               "ask z"}));
    EXPECT_EQ(log_of("CPU compute"),
              (CallLog{"CPU compute n0 n1", "CPU compute n2", "CPU compute n3 n4", "CPU compute z"}));
    const auto after = std::ranges::find(rig_.log, "CPU compute n0 n1") + 1;
    if (GetParam() == Generation::g2024_01) {
        EXPECT_EQ(*after, "CPU compute n2") << "this generation does not synchronise after a range";
    } else {
        EXPECT_EQ(*after, "CPU synchronize");
    }
}

TEST_P(EvalCallbackTest, FalseSkipsTheRestOfTheSplitOnly) {
    EXPECT_EQ(rig_.compute(wanting({"n1"}, {"n1"})).status, Status::success);
    EXPECT_EQ(calls_, (CallLog{"ask n0", "ask n1", "see n1", "ask g", "ask z"}));
    EXPECT_EQ(log_of("CPU compute"), (CallLog{"CPU compute n0 n1", "CPU compute z"}));
    EXPECT_EQ(log_of("GPU0 compute"), (CallLog{"GPU0 compute g"}));
}

TEST_P(EvalCallbackTest, ComputesSplitsAtOnceIfNothingIsWanted) {
    rig_.compute(wanting({}));
    EXPECT_EQ(log_of("CPU compute"), (CallLog{"CPU compute n0 n1 n2 n3 n4", "CPU compute z"}));
    EXPECT_EQ(calls_.size(), 7u);
}

TEST_P(EvalCallbackTest, StopRequestAbortsBetweenRanges) {
    std::stop_source source;
    const auto callback = [&](TensorId, bool ask) {
        if (!ask) source.request_stop();
        return true;
    };
    EXPECT_EQ(rig_.compute(callback, JobContext(source.get_token())).status, Status::aborted);
    EXPECT_EQ(log_of("CPU compute"), (CallLog{"CPU compute n0"}));
    EXPECT_EQ(rig_.log.back(), "CPU synchronize");
}

TEST_P(EvalCallbackTest, StopRequestInTheLastSplitAborts) {
    Rig rig(GetParam());
    test::GraphBuilder builder;
    const TensorId p = builder.stored("p", "weights-CPU");
    const TensorId first = builder.node("first", Op::add, {p, p});
    builder.node("second", Op::add, {first, p});
    ASSERT_TRUE(rig.prepare(builder.finish()));
    ASSERT_EQ(rig.schedule().splits.size(), 1u);
    std::stop_source source;
    const auto callback = [&](TensorId, bool ask) {
        if (!ask) source.request_stop();
        return true;
    };
    EXPECT_EQ(rig.compute(callback, JobContext(source.get_token())).status, Status::aborted);
    EXPECT_EQ(std::ranges::count(rig.log, "CPU compute second"), 0);
}

TEST_P(EvalCallbackTest, BackendStoppedMidwayAbortsTheRun) {
    std::stop_source source;
    rig_.cpu.on_compute = [&] { source.request_stop(); };
    rig_.cpu.next_status = Status::aborted;
    EXPECT_EQ(rig_.compute({}, JobContext(source.get_token())).status, Status::aborted);
}

INSTANTIATE_TEST_SUITE_P(Generations, ExecutorTest, ::testing::ValuesIn(kGenerations), test::name_of_case);
INSTANTIATE_TEST_SUITE_P(Generations, EvalCallbackTest, ::testing::ValuesIn(kGenerations),
                         test::name_of_case);

}  // namespace
}  // namespace splitscope::testing
