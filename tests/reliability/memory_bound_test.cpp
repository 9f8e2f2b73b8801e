// SPDX-License-Identifier: MIT
// Opening a file takes at most 64 MiB, or four times its size if that is more, whatever its contents.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/capture_json.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/formats/graph_of_sizes.hpp"
#include "tests/generator/graph_builder.hpp"
#include "tests/reliability/allocation_meter.hpp"
#include "tests/support/times.hpp"

namespace splitscope::testing {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::graph_of_sizes;
using test::TemporaryFile;

constexpr std::size_t kFree = std::size_t{64} << 20;
/// Vocabularies as large as those of real models are accepted in files without weights.
constexpr std::size_t kFreeWithVocabulary = std::size_t{160} << 20;

/// The end of an opening, with the name of the error's kind if it failed.
constexpr std::string_view kOpened = "opened";

/// The end of an opening. `look` inspects the result.
std::string end_of_opening(const std::filesystem::path& file, const JobContext& job = {},
                           const std::function<void(const Session&)>& look = {}) {
    try {
        const Session session = open_session(file, job);
        if (look) look(session);
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()), "");
        return std::string(name_of(error.kind()));
    }
    return std::string(kOpened);
}

/// Opens the bytes as a file and expects this end within the bound.
void expect_bounded(const std::string& bytes, std::string_view suffix, std::string_view end,
                    std::size_t free = kFree, const std::function<void(const Session&)>& look = {}) {
    const TemporaryFile file(bytes, suffix);
    const std::size_t bound = std::max(free, 4 * bytes.size());
    const AllocationMeter meter;
    EXPECT_EQ(end_of_opening(file.path(), {}, look), end);
    EXPECT_LE(meter.peak(), bound) << fmt::format("{} MiB for a file of {} MiB", meter.peak() >> 20,
                                                  bytes.size() >> 20);
}

GgufWriter model_head() {
    GgufWriter writer;
    writer.with_data = false;
    writer.text("general.architecture", "llama")
        .number("llama.block_count", 1)
        .number("llama.embedding_length", 8)
        .number("llama.context_length", 32)
        .number("llama.attention.head_count", 2);
    return writer;
}

TEST(MemoryOfOpening, TokenListOfEmptyTexts) {
    GgufWriter writer = model_head();
    writer.text("tokenizer.ggml.model", "llama");
    writer.texts("tokenizer.ggml.tokens", std::vector<std::string>(2'000'000));
    expect_bounded(writer.bytes(), ".gguf", kOpened, kFree, [](const Session& session) {
        EXPECT_EQ(session.file->model->tokenizer(), nullptr) << "more tokens than any model has";
    });
}

TEST(MemoryOfOpening, ManyDistinctTokensAndMerges) {
    GgufWriter writer = model_head();
    std::vector<std::string> tokens(600'000);
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = fmt::format("{:x}", i);
    writer.text("tokenizer.ggml.model", "gpt2").texts("tokenizer.ggml.tokens", tokens);
    tokens.resize(90'000);
    writer.texts("tokenizer.ggml.merges", tokens);
    expect_bounded(writer.bytes(), ".gguf", kOpened, kFreeWithVocabulary, [](const Session& session) {
        ASSERT_NE(session.file->model->tokenizer(), nullptr);
        EXPECT_EQ(session.file->model->tokenizer()->vocabulary_size(), 600'000U);
    });
}

TEST(MemoryOfOpening, ManyKeys) {
    GgufWriter writer = model_head();
    for (std::size_t i = 0; i < 700'000; ++i) writer.truth(fmt::format("{:x}", i), true);
    expect_bounded(writer.bytes(), ".gguf", "memory-bound");
}

TEST(MemoryOfOpening, ManyEmptyArraysInAnArray) {
    constexpr std::size_t kArrays = 1'000'000;
    GgufWriter writer = model_head();
    writer.key("a", GgufType::array,
               GgufWriter::array_head(GgufType::array, kArrays) +
                   times(GgufWriter::array_head(GgufType::u32, 0), kArrays));
    expect_bounded(writer.bytes(), ".gguf", "memory-bound");
}

TEST(MemoryOfOpening, ManyTensors) {
    GgufWriter writer = model_head();
    for (std::size_t i = 0; i < 500'000; ++i) writer.tensor_at(fmt::format("{:x}", i), {}, 0, 0);
    expect_bounded(writer.bytes(), ".gguf", "memory-bound");
}

TEST(MemoryOfOpening, CountsBeyondTheFile) {
    GgufWriter writer = model_head();
    writer.extra_tensors = 1'000'000'000;
    writer.extra_keys = 1'000'000'000;
    expect_bounded(writer.bytes() + std::string(1 << 20, '\0'), ".gguf", "bad-file");
}

constexpr std::string_view kGraphHead = R"({"format":"splitscope-graph","version":1,"name":"x",)";
constexpr std::string_view kTensor = R"({"name":"","type":"f32","ne":[1,1,1,1],"nb":[4,4,4,4],"op":"NONE"})";

TEST(MemoryOfOpening, GraphOfTheShortestTensors) {
    constexpr std::size_t kTensors = 280'000;
    expect_bounded(std::string(kGraphHead) + "\"tensors\":[" + times(std::string(kTensor) + ",", kTensors) +
                       std::string(kTensor) + "],\"nodes\":[],\"leafs\":[0" + times(",0", kTensors) + "]}",
                   ".graph.json", kOpened);
}

TEST(MemoryOfOpening, GraphOfCommas) {
    expect_bounded(
        std::string(kGraphHead) + "\"tensors\":[" + times(",", 10'000'000) + "],\"nodes\":[],\"leafs\":[]}",
        ".graph.json", "bad-file");
}

TEST(MemoryOfOpening, GraphOfRecordedSizes) {
    expect_bounded(graph_of_sizes(1, 900'000), ".graph.json", "memory-bound");
    expect_bounded(graph_of_sizes(900, 1000), ".graph.json", "memory-bound");
    // No single part is large.
    expect_bounded(graph_of_sizes(20'000, 45), ".graph.json", "memory-bound");
}

TEST(MemoryOfOpening, RecordingOfRecordedSizes) {
    CapturedGraph captured;
    captured.graph = parse_graph_json(graph_of_sizes(300, 330));
    captured.machine = test::simple_machine();
    captured.recorded.backends = {"GPU0", "CPU"};
    captured.recorded.backend.resize(captured.graph.tensors.size());
    Capture capture;
    capture.graphs.assign(2, captured);
    expect_bounded(write_capture_json(capture), ".capture.json", kOpened);
    capture.graphs.assign(12, captured);
    expect_bounded(write_capture_json(capture), ".capture.json", "memory-bound");
}

/// A log of one graph whose printed nodes are `step` positions apart.
std::string log_of_nodes(std::size_t nodes, std::size_t step) {
    std::string text = "## SPLIT #0: C # 0 inputs\n";
    for (std::size_t i = 0; i < nodes; ++i)
        text += fmt::format("node #{} (       ADD): {:>20} (   1K) [    C         ]:\n", i * step, i);
    return text;
}

TEST(MemoryOfOpening, LogOfGaps) {
    expect_bounded(log_of_nodes(130'000, 16), ".log", "memory-bound");
    expect_bounded(log_of_nodes(2000, 16), ".log", kOpened);
}

TEST(MemoryOfOpening, LogOfTheShortestNodes) {
    expect_bounded(log_of_nodes(50'000, 1), ".log", "memory-bound");
    expect_bounded(log_of_nodes(130'000, 1), ".log", "memory-bound");
}

TEST(MemoryOfOpening, LogOfManyGraphs) {
    std::string text;
    for (std::size_t i = 0; i < 230'000; ++i)
        text += fmt::format("## SPLIT #0: C # 1 inputs: [{:x} (   1K)]\n", i);
    expect_bounded(log_of_nodes(1, 1) + text, ".log", kOpened);
    // The only graph with nodes comes too late to be kept.
    expect_bounded(text + log_of_nodes(1, 1), ".log", "memory-bound");
}

TEST(MemoryOfOpening, LogOfOneGraphOfSplits) {
    std::string text = log_of_nodes(1, 1);
    for (std::size_t i = 1; i < 400'000; ++i) text += fmt::format("## SPLIT #{}: C # 0 inputs\n", i);
    expect_bounded(text, ".log", "memory-bound");
}

/// Omitted parts are reported, and repeated graphs among the kept ones are recognised.
TEST(MemoryOfOpening, SkippedGraphsOfALogAreCounted) {
    constexpr std::size_t kGraphs = 100'000;
    std::string text;
    for (std::size_t i = 0; i < kGraphs; ++i)
        text += fmt::format("## SPLIT #0: C # 1 inputs: [{:x} (   1K)]\n", i);
    text += text.substr(0, text.find('\n') + 1);
    const SchedulerLog log = parse_scheduler_log(text);
    EXPECT_LT(log.graphs.size(), kGraphs);
    EXPECT_EQ(log.graphs.size() + log.graphs_left_out, kGraphs);
    EXPECT_EQ(log.graphs_total, kGraphs + 1);
    EXPECT_EQ(log.graphs.at(0).times, 2U);
    EXPECT_EQ(parse_scheduler_log(text, JobContext().with(MemoryBound::lifted)).graphs.size(), kGraphs);
}

TEST(MemoryOfOpening, LogOfOneOversizedGraph) {
    const TemporaryFile file(log_of_nodes(200'000, 1), ".log");
    EXPECT_EQ(end_of_opening(file.path()), "memory-bound");
}

TEST(MemoryOfOpening, DumpOfEdges) {
    std::string text = "digraph G {\n";
    for (std::size_t i = 0; i < 200'000; ++i)
        text += fmt::format("  \"{:x}\" -> \"{:x}\" [ label = \"src 0\"; ]\n", 2 * i, 2 * i + 1);
    expect_bounded(text, ".dot", "memory-bound");
}

TEST(MemoryOfOpening, DumpOfManyNodes) {
    std::string text = "digraph G {\n";
    for (std::size_t i = 0; i < 50'000; ++i) {
        text += fmt::format(
            "  \"{:x}\" [ style = filled; fillcolor = white; shape = record; label=\"n{} (f32)|{} [1] | "
            "<x>x\"; ]\n",
            i, i, i);
    }
    expect_bounded(text, ".dot", kOpened);
}

TEST(MemoryOfOpening, BoundCanBeRaisedForALongLog) {
    constexpr std::size_t kNodes = 60'000;
    const TemporaryFile file(log_of_nodes(kNodes, 1), ".log");
    EXPECT_EQ(end_of_opening(file.path()), "memory-bound");
    const Session session = open_session(file.path(), JobContext().with(MemoryBound::lifted));
    EXPECT_EQ(session.file->graph->nodes.size(), kNodes);
}

TEST(MemoryOfOpening, LogOfNestedViews) {
    std::string text;
    constexpr std::size_t kInputs = 10'000;
    for (int split = 0; split < 4; ++split) {
        text += fmt::format("## SPLIT #{}: C # {} inputs:", split, kInputs);
        for (std::size_t i = 0; i < kInputs; ++i)
            text += fmt::format(" [{:x}-{}{} (   1K)]", i, split, times(" (view)", 7));
        text += "\n";
    }
    expect_bounded(text + log_of_nodes(1, 1).substr(26), ".log", "memory-bound");
}

TEST(MemoryOfOpening, UserCanRaiseTheBound) {
    const TemporaryFile file(graph_of_sizes(1, 200'001), ".graph.json");
    try {
        open_session(file.path());
        FAIL() << "the bound is not kept";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_bound) << error.what();
        EXPECT_NE(english(error.remedy()).find("--allow-memory"), std::string::npos);
    }
    const Session session = open_session(file.path(), JobContext().with(MemoryBound::lifted));
    EXPECT_EQ(session.file->graph->alloc_sizes.size(), 200'001U);
}

TEST(MemoryOfOpening, BoundCanBeChanged) {
    const TemporaryFile file(graph_of_sizes(1, 200'001), ".graph.json");
    const TemporaryFile small(graph_of_sizes(1, 10'000), ".graph.json");
    constexpr MemoryBound kSmall(std::uint64_t{2} << 20);
    constexpr MemoryBound kTwice(std::uint64_t{128} << 20);
    EXPECT_EQ(open_session(file.path(), JobContext().with(kTwice)).file->graph->alloc_sizes.size(), 200'001U);
    EXPECT_EQ(end_of_opening(small.path()), kOpened);
    EXPECT_EQ(end_of_opening(small.path(), JobContext().with(kSmall)), "memory-bound");
}

TEST(MemoryOfOpening, GraphWithAnUnknownMember) {
    expect_bounded(std::string(kGraphHead) + "\"more\":[0" + times(",0", 8'000'000) +
                       "],\"tensors\":[],\"nodes\":[],\"leafs\":[]}",
                   ".graph.json", "bad-file");
}

TEST(MemoryOfOpening, SessionOfBrackets) {
    const std::string head = R"({"format":"splitscope-session","version":1,"machine":)";
    expect_bounded(head + times("[", 4'000'000), ".splitscope.json", "memory-bound");
    expect_bounded(head + times("[", 4'000'000) + times("]", 4'000'000) + "}", ".splitscope.json",
                   "memory-bound");
    expect_bounded(head + "[0" + times(",0", 8'000'000) + "]}", ".splitscope.json", "memory-bound");
}

constexpr std::string_view kTableHead =
    "\"backend_name\",\"op_name\",\"op_params\",\"test_mode\",\"supported\",\"error_message\","
    "\"backend_reg_name\"\n";

/// The end of reading a table, with all queries.
std::string end_of_table(const std::filesystem::path& file) {
    try {
        const OpSupportFile support = parse_op_support(read_text_file(file), "table");
        for (const OpSupportTable& table : support.tables) {
            EXPECT_EQ(table.unsupported_ops().size(), 0U);
            EXPECT_EQ(table.unsupported_types().size(), 0U);
            table.depends();
        }
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()), "");
        return std::string(name_of(error.kind()));
    }
    return std::string(kOpened);
}

/// Reads a table of supported operations and expects this end within the bound.
void expect_bounded_table(const std::string& text, std::string_view end) {
    const TemporaryFile file(text, ".csv");
    const AllocationMeter meter;
    EXPECT_EQ(end_of_table(file.path()), end);
    const std::size_t bound = std::max(kFree, 4 * text.size());
    EXPECT_LE(meter.peak(), bound) << fmt::format("{} MiB for a table of {} MiB", meter.peak() >> 20,
                                                  text.size() >> 20);
}

TEST(MemoryOfOpening, TableOfCommas) {
    expect_bounded_table(std::string(kTableHead) + times(",", 4'000'000) + "\n", kOpened);
    expect_bounded_table(times(",", 4'000'000) + "\n", "bad-file");
}

TEST(MemoryOfOpening, TableOfFamilies) {
    std::string text = std::string(kTableHead) + times("x\n", 20);
    for (std::size_t i = 0; i < 200'000; ++i) text += fmt::format(",X,,support,1,,{:x}\n", i);
    expect_bounded_table(text, "limit");
}

TEST(MemoryOfOpening, TableOfOperationsAndTypes) {
    std::string operations(kTableHead);
    std::string types(kTableHead);
    for (std::size_t i = 0; i < 600'000; ++i) {
        operations += fmt::format(",{:x},,support,1,,\n", i);
        types += fmt::format(",GET_ROWS,type={:x},support,1,,\n", i);
    }
    expect_bounded_table(operations, "memory-bound");
    expect_bounded_table(types, "memory-bound");
}

TEST(MemoryOfOpening, BoundCanBeRaisedForATable) {
    constexpr std::size_t kOperations = 100'000;
    std::string text(kTableHead);
    for (std::size_t i = 0; i < kOperations; ++i) text += fmt::format(",{:x},,support,1,,\n", i);
    try {
        parse_op_support(text, "table");
        FAIL() << "the bound is not kept";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_bound) << error.what();
    }
    const OpSupportFile support = parse_op_support(text, "table", JobContext().with(MemoryBound::lifted));
    EXPECT_EQ(support.tables.at(0).operations.size(), kOperations);
}

}  // namespace
}  // namespace splitscope::testing
