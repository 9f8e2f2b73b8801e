// SPDX-License-Identifier: MIT
// Work is stopped at every point where it reports progress: it ends with Cancelled, or with what it has, and
// done again it succeeds.
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/formats/gguf.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/models/random_model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope::testing {
namespace {

/// Stops at the first report, at the second, and so on until the work ends before it is stopped.
void stop_everywhere(const std::function<void(const JobContext&)>& work) {
    constexpr int kMost = 300;
    int stopped = 0;
    for (int at = 0; at < kMost; ++at) {
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

TEST(Cancelling, Opening) {
    stop_everywhere([](const JobContext& job) { open_session(sample_model_path(), job); });
}

TEST(Cancelling, Analysing) {
    const Session session = open_session(sample_model_path());
    stop_everywhere([&](const JobContext& job) { analyse(session, job); });
}

TEST(Cancelling, Planning) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    stop_everywhere([&](const JobContext& job) {
        plan_model(*file, model.get(), hardware_of_machine(default_machine()), {}, Generation::g2026_08, job);
    });
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
