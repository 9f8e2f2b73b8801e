// SPDX-License-Identifier: MIT
#include "engine/session/live_run.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

using testing::cpu_only;
using testing::sample_session;

RunOptions greedy(std::uint32_t tokens) {
    RunOptions options;
    options.prompt = "My father";
    options.tokens = tokens;
    options.threads = 2;
    return options;
}

// From the sample's README; the reference engine gives the same.
TEST(LiveRun, SampleWritesItsKnownText) {
    Session session = sample_session();
    session.machine = cpu_only();
    const RunResult result = run_model(session, greedy(8));
    EXPECT_EQ(result.prompt_tokens, (std::vector<std::int32_t>{1, 321, 963, 759}));
    EXPECT_EQ(result.tokens, (std::vector<std::int32_t>{307, 261, 391, 565, 973, 957, 535, 282}));
    EXPECT_EQ(result.text, " was a very good-looking");
    EXPECT_FALSE(result.cancelled);
}

TEST(LiveRun, TensorsBeginAtCacheLines) {
    Session session = sample_session();
    session.machine = cpu_only();
    const RunResult result = run_model(session, greedy(2));
    constexpr std::uint64_t kCacheLine = 64;
    for (const auto& analysis : {result.prefill, result.decode}) {
        std::size_t placed = 0;
        for (const auto& place : analysis->plan->places) {
            if (!place) continue;
            ++placed;
            EXPECT_EQ(place->offset % kCacheLine, 0U);
        }
        EXPECT_GT(placed, 50U);
    }
}

TEST(LiveRun, SplittingIsBitExact) {
    RunObserver observer;
    observer.want_logits = true;
    Session session = sample_session();
    session.machine = cpu_only();
    const auto whole = run_model(session, greedy(6), observer);
    for (const int layers : {0, 1, 3, 5}) {
        Session split = sample_session();
        split.model_options.gpu_layers = layers;
        const auto result = run_model(split, greedy(6), observer);
        EXPECT_EQ(result.tokens, whole.tokens) << layers;
        EXPECT_EQ(result.logits, whole.logits) << layers;
    }
}

TEST(LiveRun, CopiesAreExecuted) {
    const RunResult result = run_model(sample_session(), greedy(2));
    ASSERT_NE(result.decode_execution, nullptr);
    std::size_t copies = 0;
    std::size_t computations = 0;
    for (const ExecutionEvent& event : result.decode_execution->events) {
        if (event.kind == ExecutionEventKind::copy) {
            ++copies;
            EXPECT_GT(event.bytes, 0U);
        }
        if (event.kind == ExecutionEventKind::compute) ++computations;
        EXPECT_LE(event.start, event.end);
    }
    const Schedule& schedule = *result.decode->schedule;
    EXPECT_EQ(computations, schedule.splits.size());
    EXPECT_EQ(copies, schedule.splits[0].inputs.size() + schedule.splits[1].inputs.size());
}

// A model that is, for example, downloaded again during the run.
TEST(LiveRun, TruncatingTheFileEndsARun) {
    namespace fs = std::filesystem;
    const fs::path copy =
        fs::temp_directory_path() / ("splitscope-cut-" + std::to_string(::getpid()) + ".gguf");
    fs::copy_file(sample_model_path(), copy, fs::copy_options::overwrite_existing);
    Session session = default_session(open_file(copy));
    session.machine = cpu_only();
    RunObserver observer;
    std::size_t tokens = 0;
    observer.on_token = [&](const RunStep&) {
        if (++tokens == 2) fs::resize_file(copy, fs::file_size(copy) / 2);
    };
    try {
        run_model(session, greedy(8), observer);
        ADD_FAILURE() << "it went on with zeros for weights";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
        EXPECT_NE(std::string(error.what()).find(copy.filename()), std::string::npos) << error.what();
    }
    EXPECT_EQ(tokens, 2U);
    fs::remove(copy);
}

TEST(LiveRun, TokensReusePlans) {
    Session session = sample_session();
    RunObserver observer;
    std::size_t made = 0;
    std::vector<std::size_t> computed;
    observer.on_token = [&](const RunStep& step) {
        made += step.execution->plans_made;
        computed.push_back(step.execution->plans_computed);
    };
    const RunResult result = run_model(session, greedy(6), observer);
    const std::size_t splits = result.decode->schedule->splits.size();
    EXPECT_GT(splits, 1u);
    EXPECT_EQ(made, splits);
    // The prompt and the first token have new graphs.
    EXPECT_EQ(computed, (std::vector<std::size_t>{0, 0, splits, splits, splits, splits}));
    // The older form has the cache position in the graph: a graph per token.
    session.generation = Generation::g2025_06;
    made = 0;
    run_model(session, greedy(6), observer);
    EXPECT_EQ(made, 0u);
}

TEST(LiveRun, PipelinedSchedulesWriteTheSameText) {
    Session session = sample_session();
    const auto plain = run_model(session, greedy(4));
    session.machine.parallel = true;
    EXPECT_EQ(run_model(session, greedy(4)).tokens, plain.tokens);
}

TEST(LiveRun, EveryGenerationWritesTheSameText) {
    Session session = sample_session();
    for (const Generation generation : kGenerations) {
        session.generation = generation;
        EXPECT_EQ(run_model(session, greedy(4)).tokens, (std::vector<std::int32_t>{307, 261, 391, 565}))
            << name_of(generation);
    }
}

TEST(LiveRun, FlashAttentionWritesTheSameText) {
    Session session = sample_session();
    session.model_options.flash_attention = true;
    EXPECT_EQ(run_model(session, greedy(4)).tokens, (std::vector<std::int32_t>{307, 261, 391, 565}));
}

TEST(LiveRun, StreamsEachToken) {
    std::string streamed;
    RunObserver observer;
    observer.on_token = [&](const RunStep& step) { streamed += step.piece; };
    const RunResult result = run_model(sample_session(), greedy(5), observer);
    EXPECT_EQ(streamed, result.text);
}

TEST(LiveRun, SameSeedWritesTheSameText) {
    RunOptions options = greedy(12);
    options.sampling.temperature = 0.9F;
    options.sampling.seed = 7;
    const auto first = run_model(sample_session(), options);
    EXPECT_EQ(run_model(sample_session(), options).tokens, first.tokens);
    options.sampling.seed = 8;
    EXPECT_NE(run_model(sample_session(), options).tokens, first.tokens);
}

TEST(LiveRun, StopKeepsPartialResults) {
    std::stop_source stop;
    RunObserver observer;
    std::size_t tokens = 0;
    observer.on_token = [&](const RunStep&) {
        if (++tokens == 3) stop.request_stop();
    };
    const RunResult result = run_model(sample_session(), greedy(200), observer, JobContext(stop.get_token()));
    EXPECT_TRUE(result.cancelled);
    EXPECT_GE(result.tokens.size(), 3U);
    EXPECT_LT(result.tokens.size(), 10U);
}

TEST(LiveRun, ReadsPromptsInMicroBatches) {
    Session session = sample_session();
    session.machine = cpu_only();
    RunOptions options = greedy(2);
    options.prompt.clear();
    for (std::int32_t token = 0; token < 40; ++token) options.prompt_tokens.push_back(300 + token);
    RunObserver observer;
    observer.want_logits = true;
    session.model_options.batch = 512;
    const RunResult whole = run_model(session, options, observer);
    EXPECT_EQ(whole.prefill_tokens, 40U);
    for (const auto& [micro_batch, batch, last] : {std::array{16U, 2048U, 8U}, std::array{512U, 15U, 10U}}) {
        session.model_options.batch = micro_batch;
        session.model_options.logical_batch = batch;
        std::vector<std::int64_t> graphs;  // tokens of each
        observer.on_graph = [&](const std::shared_ptr<const Analysis>& analysis) {
            graphs.push_back(analysis->model_graph->options.tokens);
        };
        const RunResult parts = run_model(session, options, observer);
        EXPECT_EQ(parts.prefill_tokens, last);
        EXPECT_EQ(std::ranges::max(graphs), std::min(micro_batch, batch));
        EXPECT_TRUE(std::ranges::find(graphs, last) != graphs.end());
        ASSERT_EQ(parts.logits.size(), whole.logits.size());
        for (std::size_t i = 0; i < whole.logits[0].size(); ++i)
            ASSERT_NEAR(parts.logits[0][i], whole.logits[0][i], 1e-3F);
    }
}

TEST(LiveRun, EndsAtTheContext) {
    RunOptions options = greedy(1000);
    options.stop_at_end = false;
    const RunResult result = run_model(sample_session(), options);
    EXPECT_EQ(result.prompt_tokens.size() + result.tokens.size(), 257U);
}

TEST(LiveRun, RefusesPromptsLongerThanTheContext) {
    RunOptions options = greedy(1);
    options.prompt_tokens.assign(300, 5);
    EXPECT_THROW(run_model(sample_session(), options), Error);
}

TEST(LiveRun, RefusesTokensOutsideTheVocabulary) {
    RunOptions options = greedy(1);
    options.prompt_tokens = {1, 1024};
    EXPECT_THROW(run_model(sample_session(), options), Error);
    options.prompt_tokens = {-1};
    EXPECT_THROW(run_model(sample_session(), options), Error);
}

/// A copy of the sample whose tokenizer is "none" instead of "llama".
class SampleWithoutTokenizer {
 public:
    SampleWithoutTokenizer()
        : path_(std::filesystem::temp_directory_path() / fmt::format("no-tokenizer-{}.gguf", ::getpid())) {
        const Session sample = sample_session();
        std::ifstream file(sample.file->path, std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        const std::string key = "tokenizer.ggml.model";
        // Behind the key: the type, the length and the characters.
        const std::size_t length = bytes.find(key) + key.size() + 4;
        const std::size_t data = data_begin(*sample.file, bytes.size());
        bytes[length] = 4;
        bytes.replace(length + 8, 5, "none");
        bytes.insert(data - 1, 1, '\0');
        std::ofstream(path_, std::ios::binary) << bytes;
    }
    ~SampleWithoutTokenizer() { std::filesystem::remove(path_); }
    SampleWithoutTokenizer(const SampleWithoutTokenizer&) = delete;
    SampleWithoutTokenizer& operator=(const SampleWithoutTokenizer&) = delete;

    Session open() const {
        Session session = open_session(path_.string());
        session.machine = cpu_only();
        return session;
    }

 private:
    static std::size_t data_begin(const OpenedFile& opened, std::size_t file_bytes) {
        std::size_t data = 0;
        for (const GgufTensor& tensor : opened.model->file().tensors())
            data = std::max<std::size_t>(data, tensor.offset + tensor.bytes);
        constexpr std::size_t kAlignment = 32;
        return (file_bytes - data) / kAlignment * kAlignment;
    }

    std::filesystem::path path_;
};

TEST(LiveRun, TokenIdsNeedNoTokenizer) {
    const SampleWithoutTokenizer sample;
    const Session session = sample.open();
    EXPECT_FALSE(why_not_runnable(session));
    RunOptions options = greedy(3);
    options.prompt_tokens = {1, 321, 963, 759};
    const RunResult result = run_model(session, options);
    EXPECT_EQ(result.tokens, (std::vector<std::int32_t>{307, 261, 391}));
    EXPECT_EQ(result.text, "[307][261][391]");
    try {
        run_model(session, greedy(3));
        FAIL() << "text was tokenized";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_EQ(error.remedy().text(), &msg::kGiveTokenIds);
    }
}

TEST(LiveRun, RequiresAnOpenModel) {
    EXPECT_TRUE(why_not_runnable(Session{}));
}

}  // namespace
}  // namespace splitscope
