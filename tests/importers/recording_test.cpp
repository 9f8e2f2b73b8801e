// SPDX-License-Identifier: MIT
#include "engine/importers/recording.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/machine_json.hpp"
#include "engine/importers/messages.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "tests/support/times.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope {
namespace {

using testing::times;

std::string tensor(const std::string& op, int flags, int buffer, int source, int weight, int rows,
                   const std::string& name) {
    const std::string row = std::to_string(16 * rows);
    return "tensor f32 " + op + " " + std::to_string(flags) + " " + std::to_string(buffer) + " -1 0 4 " +
           std::to_string(rows) + " 1 1 4 16 " + row + " " + row + " " + std::to_string(weight) + " " +
           std::to_string(source) + " -1 -1 -1 -1 -1 -1 -1 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 " + name + "\n";
}

const std::string kHead =
    "splitscope-recording 1\nlibrary 0.25.1 abc\n"
    "buffer_type 0 128 18446744073709551615 0 GPU\nbuffer_type 1 32 0 1 CPU\n"
    "scheduler 0 0 1 1\nbackend 0 0 1 0 GPU\nbackend 0 1 0 1 CPU\n"
    "layout 256\ngeneration 2026-08\nbuffer 0 1 1 4096\n";

/// A product with a weight of the CPU, offloaded to the GPU.
const std::string kGraph = "graph 0 0 decode\n" + tensor("NONE", 0, 0, -1, -1, 4, "a%20weight") +
                           tensor("NONE", 1, -1, -1, -1, 64, "input") +
                           tensor("MUL_MAT", 16, -1, 1, 0, 64, "out") +
                           "shape 2 1 1\n"
                           "takes 0 0\nsupports 0 1\noffloads 0 1\ntakes 1 1\nsupports 1 0\noffloads 1 0\n"
                           "decided 1 1 0\nrewired 2 0 0\nrewired 2 1 1\nsplit 0 0 1 0 1\n"
                           "room 2 0 2048\nend\n";

TEST(Recording, BecomesAGraphAMachineAndDecisions) {
    const Capture capture =
        parse_recording(kHead + kGraph + "again 0\ncomputed 0 0 500\ncomputed 0 0 300\ncomputed 0 9 1\n");
    EXPECT_EQ(capture.library, "0.25.1 (abc)");
    ASSERT_EQ(capture.graphs.size(), 1U);
    const CapturedGraph& captured = capture.graphs[0];
    EXPECT_EQ(captured.purpose, "decode");
    EXPECT_EQ(captured.times, 2U);
    EXPECT_EQ(captured.graph.tensors[0].name, "a weight");
    EXPECT_EQ(captured.graph[captured.graph.nodes[0]].op, Op::mul_mat);
    EXPECT_EQ(captured.graph.alloc_sizes.size(), 1U);
    ASSERT_EQ(captured.machine.backends.size(), 2U);
    const MachineBackend& gpu = captured.machine.backends[0];
    EXPECT_EQ(gpu.device, DeviceKind::gpu);
    EXPECT_EQ(gpu.offload_min_batch, 32);
    EXPECT_TRUE(gpu.supports.empty());
    EXPECT_EQ(captured.machine.backends[1].supports.at(0), false);
    EXPECT_FALSE(captured.machine.backends[1].offload_min_batch);
    EXPECT_EQ(captured.machine.buffer_types[0].max_size, std::nullopt);
    ASSERT_EQ(captured.machine.buffers.size(), 1U);
    EXPECT_EQ(captured.machine.buffers[0].usage, BufferUsage::weights);
    EXPECT_EQ(captured.recorded.backend[2], BackendId(0));
    ASSERT_EQ(captured.recorded.splits.size(), 1U);
    EXPECT_EQ(captured.recorded.splits[0].inputs.size(), 2U);
    ASSERT_EQ(captured.timings.size(), 1U);
    EXPECT_EQ(captured.timings[0].times, 2U);
    EXPECT_EQ(captured.timings[0].shortest_ns, 300U);
}

/// July 2025 reserved as in June and already had gated units.
TEST(Recording, IsOfAGenerationThatKnowsItsOperations) {
    const auto recorded_in_2025 = [](std::string text) {
        text.replace(text.find("generation 2026-08"), 18, "generation 2025-06");
        return parse_recording(text).generation;
    };
    EXPECT_EQ(recorded_in_2025(kHead + kGraph), Generation::g2025_06);
    std::string gated = kGraph;
    gated.replace(gated.find("MUL_MAT"), 7, "GLU");
    EXPECT_EQ(recorded_in_2025(kHead + gated), Generation::g2026_08);
    // One graph with new operations shows how new the library is.
    std::string other = gated;
    other.replace(0, 7, "graph 1");
    EXPECT_EQ(recorded_in_2025(kHead + kGraph + other), Generation::g2026_08);
}

TEST(Recording, SurvivesARoundTrip) {
    const Capture capture = parse_recording(kHead + kGraph + "computed 0 0 500\n");
    const std::string text = write_capture_json(capture);
    EXPECT_TRUE(is_capture_json(text));
    const Capture again = parse_capture_json(text);
    EXPECT_EQ(write_capture_json(again), text);
    EXPECT_EQ(again.graphs[0].machine, capture.graphs[0].machine);
}

TEST(Recording, NonTextNamesSurviveARoundTrip) {
    constexpr std::size_t kBytes = 60;
    std::string name;
    for (std::size_t i = 0; i < kBytes; ++i) name += "%FF";
    std::string text = kHead + kGraph;
    text.replace(text.find("a%20weight"), std::string_view("a%20weight").size(), name);
    const Capture capture = parse_recording(text);
    const std::string written = write_capture_json(capture);
    EXPECT_EQ(write_capture_json(parse_capture_json(written)), written);
}

TEST(Recording, NonTextPurposeSurvivesARoundTrip) {
    std::string text = kHead + kGraph;
    text.replace(text.find("decode"), std::string_view("decode").size(), std::string(300, '\xff'));
    const std::string written = write_capture_json(parse_recording(text));
    EXPECT_EQ(write_capture_json(parse_capture_json(written)), written);
}

TEST(Recording, TruncatedRecordingIsReadToItsEnd) {
    const std::string whole = kHead + kGraph + "computed 0 0 500\n" + kGraph;
    for (std::size_t length = kHead.size(); length < whole.size(); ++length) {
        const Capture capture = parse_recording(std::string_view(whole).substr(0, length));
        EXPECT_EQ(capture.graphs.size(), length >= kHead.size() + kGraph.size() ? 1U : 0U) << length;
    }
}

TEST(Recording, ReportsWhyNothingWasRecorded) {
    try {
        parse_recording("splitscope-recording 1\nlibrary ? ?\nrefused functions x\n");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("lacks the functions x"), std::string::npos);
    }
}

TEST(Recording, ReasonsOfTheRecorderAreMessages) {
    EXPECT_EQ(refusal_of_recorder("functions ggml_get_name, ggml_nbytes"),
              msg::kLibraryLacksFunctions("ggml_get_name, ggml_nbytes"));
    EXPECT_EQ(refusal_of_recorder("layout 144"), msg::kUnknownTensorLayout("144"));
    EXPECT_EQ(refusal_of_recorder("graphs 256"), msg::kMostGraphs("256"));
    EXPECT_EQ(refusal_of_recorder("buffer_types"), msg::kNoBufferTypes());
    // Of another version.
    for (const char* reason : {"", "functions", "graphs ", "other 1"})
        EXPECT_EQ(refusal_of_recorder(reason), Message::verbatim(reason));
}

TEST(Recording, RefusesNumbersOutOfRangeByLine) {
    std::string text = kHead + kGraph;
    text.replace(text.find("decided 1 1 0"), 13, "decided 1 1 7");
    try {
        parse_recording(text);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(error.where().find("line 22"), std::string::npos) << error.where();
    }
    EXPECT_THROW(parse_recording("something else"), Error);
    EXPECT_THROW(parse_capture_json("{\"format\":\"splitscope-capture\",\"version\":1}"), Error);
}

/// Errors of unreadable recordings and their places.
std::string refusal_of(const std::string& text) {
    try {
        parse_recording(text);
    } catch (const Error& error) {
        return fmt::format("{}: {}", error.where(), english(error.problem()));
    }
    return "";
}

// Each graph has lists for every backend.
TEST(Recording, LimitsTheNumberOfBackends) {
    std::string text = kHead;
    for (std::size_t i = 2; i < kMaxBackends; ++i) text += fmt::format("backend 0 {} 1 0 GPU{}\n", i, i);
    EXPECT_EQ(refusal_of(text), "");
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_EQ(refusal_of(text + times("backend 0 16 1 0 GPU16\n", 40'000) + times("graph 0 0 x\n", 60'000)),
              fmt::format("recording, line {}: there are too many backends", lines + 1));
}

/// A graph that the scheduler cannot have had: no backend supports its own memory.
constexpr std::string_view kBadGraph = "graph 0 0 x\nend\n";

// Omitted graphs take time, too, and each graph has a machine with all types.
TEST(Recording, LimitsTheNumberOfGraphs) {
    EXPECT_EQ(refusal_of(kHead + times(kBadGraph, 4096)), "");
    EXPECT_NE(refusal_of(kHead + times(kBadGraph, 4097)).find("too many graphs"), std::string::npos);
    std::string types = kHead;
    for (std::size_t i = 2; i < kMaxBufferTypes; ++i)
        types += fmt::format("buffer_type {} 32 0 1 type {}\n", i, i);
    EXPECT_EQ(refusal_of(types + times(kBadGraph, 512)), "");
    EXPECT_NE(refusal_of(types + times(kBadGraph, 513)).find("too many graphs"), std::string::npos);
}

TEST(Recording, TruncatesNamesOfTheMachine) {
    std::string text = kHead + kGraph;
    text.replace(text.find("0 GPU\nbackend"), 5, "0 " + std::string(100'000, 'G'));
    const Capture capture = parse_recording(text);
    ASSERT_EQ(capture.graphs.size(), 1U);
    EXPECT_EQ(capture.graphs[0].machine.backends[0].name, std::string(kMaxMachineNameBytes, 'G'));
}

TEST(Recording, ReportsRepeatedRemarksOnce) {
    const Capture cut = parse_recording(kHead + kGraph + "computed 0 0 500\n" + times("limit\n", 5000));
    EXPECT_EQ(cut.remarks, std::vector<Message>{msg::kRecordingTooLarge});
    const Capture ordered = parse_recording(kHead + "graph 0 0 x\n" + times("shape 0 0 0\n", 5000) +
                                            "takes 0 0\ntakes 1 1\nsplit 1 0 0\nend\n");
    ASSERT_EQ(ordered.graphs.size(), 1U);
    EXPECT_EQ(ordered.graphs[0].remarks, std::vector<Message>{msg::kLeafsAsRead});
}

TEST(Recording, LimitsRemarksTo1000) {
    constexpr std::size_t kNodes = 3000;
    std::string graph = "graph 0 0 decode\n" + tensor("NONE", 1, -1, -1, -1, 1, "input");
    for (std::size_t i = 0; i < kNodes; ++i)
        graph += tensor(fmt::format("OWN_{}", i), 0, -1, 0, -1, 1, fmt::format("n-{}", i));
    graph += fmt::format("shape 1 {} 1\ntakes 0 0\ntakes 1 1\nsplit 1 0 {}\nend\n", kNodes, kNodes);
    const Capture capture = parse_recording(kHead + graph + times(kBadGraph, 2000));
    ASSERT_EQ(capture.graphs.size(), 1U);
    const auto& of_graph = capture.graphs[0].remarks;
    ASSERT_EQ(of_graph.size(), 1001U);
    EXPECT_EQ(of_graph.front(), msg::kRecordedOperationUnknown("OWN_0"));
    EXPECT_EQ(of_graph.back(), msg::kMoreRemarks(2000));
    ASSERT_GE(capture.remarks.size(), 1001U);
    EXPECT_EQ(capture.remarks[1000], msg::kMoreRemarks(1000));
}

constexpr std::chrono::seconds kAMoment(testing::kUnderSanitizer ? 60 : 5);

TEST(Recording, ManySplitsAreReadQuickly) {
    constexpr std::size_t kSplits = 300'000;
    std::string text = kHead + kGraph;
    text.replace(text.find("split 0 0 1 0 1\n"), 16, times("split 0 0 1 0 1\n", kSplits));
    for (std::size_t i = kSplits; i-- > 0;) text += fmt::format("computed 0 {} {}\n", i, i);
    text += "computed 0 7 3\n";
    const auto start = std::chrono::steady_clock::now();
    const Capture capture = parse_recording(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, kAMoment);
    const auto& timings = capture.graphs.at(0).timings;
    ASSERT_EQ(timings.size(), kSplits);
    for (std::size_t i = 0; i < kSplits; ++i) ASSERT_EQ(timings[i].split, i);
    EXPECT_EQ(timings[7].times, 2U);
    EXPECT_EQ(timings[7].total_ns, 10U);
    EXPECT_EQ(timings[7].shortest_ns, 3U);
}

TEST(Recording, ManyBuffersAreReadQuickly) {
    constexpr int kBuffers = 160'000;
    std::string text = kHead;
    for (int i = 1; i < kBuffers; ++i) text += fmt::format("buffer {} 1 1 4096\n", i);
    text += "graph 0 0 decode\n";
    for (int i = 0; i < kBuffers; ++i) text += tensor("NONE", 0, i, -1, -1, 1, "w");
    // One more in a known buffer.
    text += tensor("NONE", 0, 7, -1, -1, 1, "w");
    text += fmt::format("shape {} 0 1\ntakes 0 0\ntakes 1 1\nend\n", kBuffers + 1);
    const auto start = std::chrono::steady_clock::now();
    const Capture capture = parse_recording(text);
    EXPECT_LT(std::chrono::steady_clock::now() - start, kAMoment);
    const Graph& graph = capture.graphs.at(0).graph;
    ASSERT_EQ(graph.buffers.size(), static_cast<std::size_t>(kBuffers));
    EXPECT_EQ(graph.buffers.back(), fmt::format("CPU.{}", kBuffers - 1));
    EXPECT_EQ(graph.tensors.back().buffer, graph.tensors[7].buffer);
    EXPECT_EQ(capture.graphs[0].machine.buffers.size(), graph.buffers.size());
}

}  // namespace
}  // namespace splitscope
