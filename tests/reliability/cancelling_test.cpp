// SPDX-License-Identifier: MIT
// Work is stopped at every point where it reports progress, or at any time where it reports none: it ends
// with Cancelled, or with what it has, and done again it succeeds.
#include <array>
#include <chrono>
#include <cstddef>
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
#include <unistd.h>

#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/execution/tensor_slice.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/formats/gguf.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/reports/report_plans.hpp"
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
#include "tests/reports/sample_analysis.hpp"

namespace splitscope::testing {
namespace {

/// Stops at the first report, at the second, and so on until the work ends before it is stopped; of work that
/// reports more often than can be tried at every `step`-th.
void stop_everywhere(const std::function<void(const JobContext&)>& work, int step = 1) {
    constexpr int kMost = 300;
    int stopped = 0;
    for (int at = 0; at < kMost * step; at += step) {
        std::stop_source stop;
        int reports = 0;
        const JobContext job(stop.get_token(), [&](double, std::string_view) {
            if (reports++ == at) stop.request_stop();
        });
        try {
            work(job);
        } catch (const Cancelled&) {
            ++stopped;
        }
        if (reports <= at) break;
    }
    std::stop_source before;
    before.request_stop();
    try {
        work(JobContext(before.get_token()));
    } catch (const Cancelled&) {
        ++stopped;
    }
    EXPECT_GT(stopped, 0);
    EXPECT_NO_THROW(work({}));
}

/// Stops work that reports nothing from outside, later and later, until it is done before.
void stop_at_any_time(const std::function<void(const JobContext&)>& work) {
    using namespace std::chrono_literals;
    bool done = false;
    for (auto after = 20us; !done && after < 10s; after *= 2) {
        std::stop_source stop;
        const std::jthread stopper([&stop, after] {
            std::this_thread::sleep_for(after);
            stop.request_stop();
        });
        try {
            work(JobContext(stop.get_token()));
            done = true;
        } catch (const Cancelled&) {
        }
    }
    EXPECT_TRUE(done);
    std::stop_source before;
    before.request_stop();
    EXPECT_THROW(work(JobContext(before.get_token())), Cancelled);
    EXPECT_NO_THROW(work({}));
}

std::string of_the_tree(const std::string& file) {
    return read_text_file(std::string(SPLITSCOPE_SOURCE_DIR) + "/" + file);
}

/// Lines that a reader passes over, more than it reads between two looks at its job.
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

/// The sample on devices whose speed is known.
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
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, OpeningARecording) {
    Capture capture = test::capture_of(*test::two_backend_analysis());
    capture.graphs.resize(4, capture.graphs.front());
    const test::TemporaryFile file(write_capture_json(capture), ".capture.json");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
    stop_at_any_time([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, OpeningAGraph) {
    const test::TemporaryFile file(write_graph_json(*test::long_analysis(3000)->graph), ".graph.json");
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
    stop_at_any_time([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, OpeningASession) {
    const test::TemporaryFile file({}, ".splitscope.json");
    save_session(sample(), file.path());
    stop_everywhere([&](const JobContext& job) { open_session(file.path(), job); });
}

TEST(Cancelling, ReadingASupportTable) {
    const std::string text =
        of_the_tree("tests/fuzz/seeds/op_support/small") + std::string(std::size_t{3} << 20, '\n');
    stop_everywhere([&](const JobContext& job) { parse_op_support(text, "table", job); });
}

TEST(Cancelling, Analysing) {
    const Session session = open_session(sample_model_path());
    stop_everywhere([&](const JobContext& job) { analyse(session, job); });
}

TEST(Cancelling, ComparingSessions) {
    Session session = sample();
    const auto a = analyse(session);
    session.model_options.gpu_layers = 0;
    const auto b = analyse(session);
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
    options.vulkan = std::make_shared<VulkanKind>();
    constexpr int kStep = 29;
    stop_everywhere([&](const JobContext& job) { compare_backends(session, "cpu", "cpu", options, {}, job); },
                    kStep);
}

TEST(Cancelling, ReplayingALogOnAModel) {
    const Session logged =
        open_session(std::string(SPLITSCOPE_SOURCE_DIR) + "/docs/examples/half-on-the-gpu.log");
    const auto model = make_model(GgufFile::open(sample_model_path()));
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

TEST(Cancelling, LookingAtValues) {
    Tensor tensor;
    tensor.ne = {4096, 16, 1, 1};
    tensor.nb = contiguous_strides(tensor.type, tensor.ne);
    std::vector<float> values(static_cast<std::size_t>(element_count(tensor)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 100);
    std::vector<float> others = values;
    others[77] = -1;
    const auto bytes = std::as_bytes(std::span(values));
    const auto other_bytes = std::as_bytes(std::span(others));
    const std::array<std::function<void(const JobContext&)>, 5> works = {
        [&](const JobContext& job) { values_as_npy(tensor, bytes, job); },
        [&](const JobContext& job) { values_as_csv(tensor, bytes, job); },
        [&](const JobContext& job) { tensor_statistics(tensor, bytes, job); },
        [&](const JobContext& job) { compare_values(tensor, bytes, tensor, other_bytes, job); },
        [&](const JobContext& job) { list_differences(tensor, bytes, tensor, other_bytes, 10, job); }};
    for (std::size_t i = 0; i < works.size(); ++i) {
        SCOPED_TRACE(i);
        stop_at_any_time(works[i]);
    }
}

TEST(Cancelling, ReadingANodeOfAnotherRun) {
    const Session session = sample();
    RunOptions options;
    options.prompt = "One";
    options.threads = 2;
    stop_at_any_time([&](const JobContext& job) { capture_node(session, options, 1, "result_output", job); });
}

TEST(Cancelling, Running) {
    const Session session = open_session(sample_model_path());
    RunOptions options;
    options.prompt = "One";
    options.tokens = 2;
    options.threads = 2;
    int given_up = 0;
    stop_everywhere([&](const JobContext& job) {
        const RunResult result = run_model(session, options, {}, job);
        if (result.cancelled) {
            ++given_up;
            throw Cancelled();
        }
    });
    // Between the tokens, from another direction.
    for (std::size_t at = 0; at < 2; ++at) {
        std::stop_source stop;
        RunObserver observer;
        std::size_t tokens = 0;
        observer.on_token = [&](const RunStep&) {
            if (tokens++ == at) stop.request_stop();
        };
        const RunResult result = run_model(session, options, observer, JobContext(stop.get_token()));
        EXPECT_GE(result.tokens.size(), at + 1) << "what was made is handed over";
    }
}

TEST(Cancelling, WritingARandomModelLeavesNothingBehind) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("splitscope-random-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    RandomModelOptions options;
    options.layers = 2;
    options.embedding = 64;
    options.heads = 4;
    options.kv_heads = 2;
    options.feed_forward = 128;
    options.vocabulary = 5000;
    options.type = ElementType::f32;
    stop_everywhere([&](const JobContext& job) {
        try {
            write_random_model(folder / "m.gguf", options, job);
        } catch (const Cancelled&) {
            EXPECT_TRUE(std::filesystem::is_empty(folder));
            throw;
        }
        std::filesystem::remove(folder / "m.gguf");
    });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace splitscope::testing
