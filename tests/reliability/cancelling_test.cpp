// SPDX-License-Identifier: MIT
// Stops work at every progress report, or at any time if it reports none: it ends with Cancelled, or with a
// partial result, and succeeds when repeated.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/execution/tensor_slice.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/formats/gguf.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/memory/plan_graph.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/reports/report_plans.hpp"
#include "engine/scheduler/compare.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/session/capture_node.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/replay_on_model.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/generator/capture_of.hpp"
#include "tests/reliability/narrow_model.hpp"
#include "tests/reports/sample_analysis.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope::testing {
namespace {

using Work = std::function<void(const JobContext&)>;

/// Number of progress reports of the uninterrupted work.
int reports_of(const Work& work) {
    int reports = 0;
    work(JobContext(std::stop_token(), [&](double, const Message&) { ++reports; }));
    return reports;
}

void expect_stopped_before_it_begins(const Work& work) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(work(JobContext(stop.get_token())), Cancelled);
}

/// Stops at each report in turn, or at every `step`-th if there are too many. The work must end there, or at
/// the next report. After the last `ending` reports there is nothing to stop.
void stop_everywhere(const Work& work, int step = 1, int ending = 0) {
    constexpr int kMax = 300;
    const int all = reports_of(work);
    ASSERT_GT(all, ending);
    for (int at = 0; at < std::min(all, kMax * step); at += step) {
        std::stop_source stop;
        int reports = 0;
        bool cancelled = false;
        const JobContext job(stop.get_token(), [&](double, const Message&) {
            if (reports++ == at) stop.request_stop();
        });
        try {
            work(job);
        } catch (const Cancelled&) {
            cancelled = true;
        }
        EXPECT_TRUE(cancelled || at >= all - ending) << "it took no notice of a stop at report " << at;
        EXPECT_LE(reports, at + 2) << "it went on after a stop at report " << at;
    }
    expect_stopped_before_it_begins(work);
    EXPECT_NO_THROW(work({}));
}

/// Processor time of one thread, so that other programs do not count.
class ThreadClock {
 public:
    ThreadClock() { EXPECT_EQ(::pthread_getcpuclockid(::pthread_self(), &clock_), 0); }

    std::chrono::nanoseconds now() const {
        timespec time{};
        ::clock_gettime(clock_, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

 private:
    clockid_t clock_{};
};

/// Stops work without reports from outside, at moments of its first third. The work must take some
/// milliseconds, so that it can be interrupted.
void stop_at_any_time(const Work& work) {
    using namespace std::chrono_literals;
    constexpr int kMoments = 8;
    // On a busy computer the stop may come too late.
    constexpr int kMaxTries = 8 * kMoments;
    const ThreadClock clock;
    auto whole = std::chrono::nanoseconds::max();
    for (int i = 0; i < 2; ++i) {
        const auto begin = clock.now();
        work({});
        whole = std::min(whole, clock.now() - begin);
    }
    int cancelled = 0;
    for (int i = 0; i < kMoments || (cancelled == 0 && i < kMaxTries); ++i) {
        std::stop_source stop;
        std::chrono::nanoseconds stopped{};
        std::chrono::nanoseconds ended{};
        bool went_through = false;
        const auto due = clock.now() + whole * (i % kMoments + 1) / (3 * kMoments);
        {
            const std::jthread stopper([&](const std::stop_token& over) {
                while (!over.stop_requested() && clock.now() < due) std::this_thread::sleep_for(20us);
                stop.request_stop();
                stopped = clock.now();
            });
            try {
                work(JobContext(stop.get_token()));
                went_through = true;
            } catch (const Cancelled&) {
                ++cancelled;
            }
            ended = clock.now();
        }
        // Work must check at least every 100 ms, also on much slower computers.
        constexpr std::chrono::nanoseconds kSoon = kUnderSanitizer ? 100ms : 20ms;
        const auto most = went_through ? whole / 2 : std::max(whole / 2, kSoon);
        EXPECT_LT((ended - stopped).count(), most.count()) << "it went on for long after the stop";
    }
    EXPECT_GT(cancelled, 0);
    expect_stopped_before_it_begins(work);
    EXPECT_NO_THROW(work({}));
}

std::string of_the_tree(const std::string& file) {
    return read_text_file(std::string(SPLITSCOPE_SOURCE_DIR) + "/" + file);
}

/// Lines that a reader skips, more than between two checks of its job.
std::string lines_of_others() {
    constexpr std::size_t kBytes = std::size_t{3} << 20;
    const std::string line = std::string(200, '.') + "\n";
    std::string text;
    while (text.size() < kBytes) text += line;
    return text;
}

Session sample() {
    return open_session(sample_model_path());
}

/// The sample on devices with known speed.
Session sample_on_presets() {
    Session session = sample();
    use_presets(session, {"rtx-3090"});
    return session;
}

TEST(Cancelling, Opening) {
    stop_everywhere([](const JobContext& job) { open_session(sample_model_path(), job); });
}

TEST(Cancelling, OpeningALog) {
    const test::TemporaryFile file(of_the_tree("docs/examples/half-on-the-gpu.log") + lines_of_others(),
                                   ".log");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, OpeningADump) {
    const test::TemporaryFile file(of_the_tree("tests/fuzz/seeds/dot_graph/small") + lines_of_others(),
                                   ".dot");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); }, 1, 1);
}

TEST(Cancelling, OpeningARecording) {
    Capture capture = test::capture_of(*test::two_backend_analysis());
    const CapturedGraph graph = capture.graphs.front();
    capture.graphs.assign(4, graph);
    const test::TemporaryFile file(write_capture_json(capture), ".capture.json");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
    capture.graphs.assign(400, graph);
    const test::TemporaryFile large(write_capture_json(capture), ".capture.json");
    stop_at_any_time([&](const JobContext& job) { open_session(large.path(), job); });
}

TEST(Cancelling, OpeningAGraph) {
    const test::TemporaryFile file(write_graph_json(*test::long_analysis(10'000)->graph), ".graph.json");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
    stop_at_any_time([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, SkippingIrrelevantText) {
    const std::string graph = write_graph_json(*test::two_backend_analysis()->graph);
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    const std::string blanks = "{" + std::string(kBytes, ' ') + graph.substr(1);
    const std::string unknown = "{\"x\":\"" + std::string(kBytes, 'x') + "\"," + graph.substr(1);
    stop_at_any_time([&](const JobContext& job) { parse_graph_json(blanks, "a graph", job); });
    stop_at_any_time([&](const JobContext& job) {
        try {
            parse_graph_json(unknown, "a graph", job);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // Unknown members are refused after they have been skipped.
        }
    });
}

TEST(Cancelling, OpeningASession) {
    const test::TemporaryFile file({}, ".splitscope.json");
    save_session(sample(), file.path());
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, ReadingASupportTable) {
    const std::string text =
        of_the_tree("tests/fuzz/seeds/op_support/small") + std::string(std::size_t{3} << 20, '\n');
    stop_everywhere([&](const JobContext& job) { parse_op_support(text, "table", job); }, 1, 1);
}

TEST(Cancelling, Analysing) {
    const Session session = open_session(sample_model_path());
    // The last report is the completion.
    stop_everywhere([&](const JobContext& job) { analyse(session, job); }, 1, 1);
}

TEST(Cancelling, PlanningBuffers) {
    const auto analysis = test::long_analysis(300'000);
    const SimulatedMachine simulated(analysis->machine, analysis->graph.get());
    const std::vector<BufferPosition> positions(analysis->graph->tensors.size(),
                                                BufferPosition(std::size_t{0}));
    for (const Generation generation : {Generation::g2024_01, Generation::g2026_08}) {
        SCOPED_TRACE(name_of(generation));
        stop_at_any_time([&](const JobContext& job) {
            AllocationRequest request{GraphView(*analysis->graph)};
            request.tensor_positions = positions;
            request.job = job;
            const AllocationPlan plan =
                plan_graph(allocation_policy(generation), allocation_types(simulated.live()), request);
            EXPECT_FALSE(plan.error);
        });
    }
    stop_at_any_time(
        [&](const JobContext& job) { plan_allocation(*analysis->schedule, simulated.live(), true, job); });
}

TEST(Cancelling, ComparingSchedules) {
    const auto analysis = test::long_analysis(1'000'000);
    stop_at_any_time([&](const JobContext& job) { compare(*analysis->schedule, *analysis->schedule, job); });
}

TEST(Cancelling, ComparingSessions) {
    const auto a = test::long_analysis(100'000);
    const auto b = test::long_analysis(100'001);
    stop_everywhere([&](const JobContext& job) { compare_sessions(*a, *b, job); });
    stop_at_any_time([&](const JobContext& job) { compare_sessions(*a, *b, job); });
}

TEST(Cancelling, ComparingGenerations) {
    const Session session = sample();
    stop_everywhere([&](const JobContext& job) {
        compare_generations(session, Generation::g2024_10, Generation::g2026_08, job);
    });
}

TEST(Cancelling, ComparingBackends) {
    const Session session = sample();
    BackendComparisonOptions options;
    options.prompt_tokens = {1, 2};
    options.threads = 1;
    constexpr int kStep = 29;
    stop_everywhere([&](const JobContext& job) { compare_backends(session, "cpu", "cpu", options, {}, job); },
                    kStep);
}

TEST(Cancelling, ReplayingALogOnAModel) {
    const Session logged =
        open_session(std::string(SPLITSCOPE_SOURCE_DIR) + "/docs/examples/half-on-the-gpu.log");
    // Not the model of the log: a larger one.
    const test::TemporaryFile file({}, ".gguf");
    write_random_model(file.path(), narrow_model(100));
    const auto model = make_model(GgufFile::open(file.path()));
    stop_at_any_time([&](const JobContext& job) { replay_on_model(logged, *model, job); });
}

TEST(Cancelling, Planning) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    stop_everywhere([&](const JobContext& job) {
        plan_model(*file, model.get(), hardware_of_machine(default_machine()), {}, Generation::g2026_08, job);
    });
}

TEST(Cancelling, Suggesting) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    stop_everywhere([&](const JobContext& job) {
        suggest(*file, model.get(), hardware, {}, Generation::g2026_08, {}, job);
    });
}

TEST(Cancelling, PlanningForAReport) {
    const Session session = sample_on_presets();
    for (const bool search : {false, true}) {
        SCOPED_TRACE(search);
        stop_everywhere([&](const JobContext& job) { plan_for_report(session, search, job); });
    }
}

TEST(Cancelling, ReadingValues) {
    Tensor tensor;
    // Copying this must take longer than starting the thread that stops it.
    tensor.ne = {4096, 4096, 1, 1};
    tensor.nb = contiguous_strides(tensor.type, tensor.ne);
    // Writing a value as text takes much longer.
    Tensor few = tensor;
    few.ne[1] = 64;
    std::vector<float> values(static_cast<std::size_t>(element_count(tensor)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 100);
    std::vector<float> others = values;
    others[77] = -1;
    const auto bytes = std::as_bytes(std::span(values));
    const auto other_bytes = std::as_bytes(std::span(others));
    const std::array<Work, 5> works = {
        [&](const JobContext& job) { values_as_npy(tensor, bytes, job); },
        [&](const JobContext& job) { values_as_csv(few, bytes, job); },
        [&](const JobContext& job) { tensor_statistics(tensor, bytes, job); },
        [&](const JobContext& job) { compare_values(tensor, bytes, tensor, other_bytes, job); },
        [&](const JobContext& job) { list_differences(tensor, bytes, tensor, other_bytes, 10, job); }};
    for (std::size_t i = 0; i < works.size(); ++i) {
        SCOPED_TRACE(i);
        stop_at_any_time(works[i]);
    }
}

TEST(Cancelling, ReadingANodeFromAnotherRun) {
    const Session session = sample();
    RunOptions options;
    options.prompt = "One";
    options.threads = 2;
    // The ninth computation: after a few tokens.
    stop_at_any_time([&](const JobContext& job) {
        capture_node(session, options, 8, TensorIdentity::parse("result_output"), job);
    });
}

TEST(Cancelling, Running) {
    const Session session = open_session(sample_model_path());
    RunOptions options;
    options.prompt = "One";
    // The graph of a second one would be prepared after the weights.
    options.tokens = 1;
    options.threads = 2;
    int given_up = 0;
    stop_everywhere([&](const JobContext& job) {
        const RunResult result = run_model(session, options, {}, job);
        if (result.cancelled) {
            ++given_up;
            throw Cancelled();
        }
    });
    EXPECT_GT(given_up, 0) << "stopped when the weights were there";
    // Between the tokens, from another thread: the result so far is returned.
    options.tokens = 2;
    for (std::size_t at = 0; at < 2; ++at) {
        SCOPED_TRACE(at);
        std::stop_source stop;
        RunObserver observer;
        std::size_t tokens = 0;
        observer.on_token = [&](const RunStep&) {
            if (tokens++ == at) stop.request_stop();
        };
        const RunResult result = run_model(session, options, observer, JobContext(stop.get_token()));
        EXPECT_EQ(result.tokens.size(), at + 1);
        EXPECT_EQ(result.cancelled, at == 0) << "with the last token there is nothing left to stop";
    }
}

TEST(Cancelling, WritingARandomModelLeavesNoFile) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("splitscope-random-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    RandomModelOptions options;
    options.layers = 2;
    options.embedding = 64;
    options.heads = 4;
    options.kv_heads = 2;
    options.feed_forward = 128;
    options.vocabulary = 20'000;
    options.type = ElementType::f32;
    const auto write = [&](const JobContext& job) {
        try {
            write_random_model(folder / "m.gguf", options, job);
        } catch (const Cancelled&) {
            EXPECT_TRUE(std::filesystem::is_empty(folder));
            throw;
        }
        std::filesystem::remove(folder / "m.gguf");
    };
    // After the last report follow the last rows.
    stop_everywhere(write, 1, 1);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace splitscope::testing
