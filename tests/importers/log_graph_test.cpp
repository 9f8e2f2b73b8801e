// SPDX-License-Identifier: MIT
#include "engine/importers/log_graph.hpp"

#include <chrono>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/importers/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

std::string tensor(const std::string& name, const std::string& backend) {
    return fmt::format("{:>20.20} (  16K) [{:>5.5} {:>8}]", name, backend, "");
}

std::string node(int number, const std::string& op, const std::string& result,
                 const std::vector<std::string>& sources) {
    std::string line = fmt::format("node #{:>3} ({:>10}): {} use=1,c=1:", number, op, result);
    for (const std::string& source : sources) line += " " + source;
    return line + "\n";
}

LogGraph graph_of(const std::string& text) {
    const SchedulerLog log = parse_scheduler_log(text);
    EXPECT_EQ(log.notes_total, 0U);
    return graph_of_log(log.graphs.at(0), log.facts);
}

const std::string kTwoBackends =
    "## SPLIT #0: CPU # 0 inputs\n" +
    node(0, "GET_ROWS", tensor("inp_embd", "CPU"),
         {tensor("token_embd.weight", "CPU"), tensor("inp_tokens", "CPU")}) +
    "\n## SPLIT #1: Vulkan0 # 3 inputs: [inp_embd (  16K)] [blk.10.attn_k.weight (  16K)] "
    "[blk.10.attn_v.weight (  "
    "16K)] \n" +
    node(1, "MUL_MAT", tensor("Kcur-10", "Vulkan0"),
         {tensor("Vulkan0#blk.10.attn_k.weight#0", "NULL"), tensor("Vulkan0#inp_embd#0", "NULL")}) +
    node(2, "MUL_MAT", tensor("Vcur-10", "Vulkan0"),
         {tensor("Vulkan0#blk.10.attn_v.weight#0", "NULL"), tensor("Vulkan0#inp_embd#0", "NULL")}) +
    node(4, "ADD", tensor("sum", "Vulkan0"),
         {tensor("Kcur-10 (view)", "Vulkan0"), tensor("Vcur-10", "Vulkan0")});

TEST(LogGraph, HasNodesSourcesSplitsInputsAndSizes) {
    const LogGraph imported = graph_of(kTwoBackends);
    const Graph& graph = imported.graph;
    ASSERT_NO_THROW(validate(graph));
    ASSERT_EQ(graph.nodes.size(), 5U);  // the unprinted position is the view that is read
    EXPECT_EQ(graph[graph.nodes[3]].name, "Kcur-10 (view)");
    EXPECT_EQ(graph[graph.nodes[3]].op, Op::view);
    EXPECT_EQ(graph[graph.nodes[3]].src[0], graph.nodes[1]);
    EXPECT_EQ(graph[graph.nodes[4]].src[0], graph.nodes[3]);
    EXPECT_EQ(graph[graph.nodes[4]].nb[1], 16 << 10);
    EXPECT_EQ(imported.generation, Generation::g2026_08);
    ASSERT_EQ(imported.recorded.splits.size(), 2U);
    const Split& second = imported.recorded.splits[1];
    EXPECT_EQ(second.start, 1U);
    EXPECT_EQ(second.end, 5U);
    ASSERT_EQ(second.inputs.size(), 3U);
    EXPECT_EQ(second.inputs[0], graph.nodes[0]);
    ASSERT_EQ(imported.machine.backends.size(), 2U);
    EXPECT_EQ(imported.machine.backends[0].name, "Vulkan0");
}

// "Vulkan0#blk.10.attn_" abbreviates both weights: their order distinguishes them.
TEST(LogGraph, DistinguishesCopiesWithEqualTruncatedNames) {
    const LogGraph imported = graph_of(kTwoBackends);
    const Graph& graph = imported.graph;
    const auto weight_of = [&](std::size_t position) {
        return graph[graph[graph.nodes[position]].src[0]].name;
    };
    EXPECT_EQ(weight_of(1), "blk.10.attn_k.weight");
    EXPECT_EQ(weight_of(2), "blk.10.attn_v.weight");
    EXPECT_EQ(graph[graph.nodes[2]].src[1], graph.nodes[0]);
}

// The same weights were loaded once for each of two backends, which read them in place.
TEST(LogGraph, TiedEmbeddingsAreSeparateTensors) {
    const LogGraph imported =
        graph_of("## SPLIT #0: CPU # 0 inputs\n" +
                 node(0, "GET_ROWS", tensor("embd", "CPU"),
                      {tensor("token_embd.weight", "CPU"), tensor("inp_tokens", "CPU")}) +
                 "\n## SPLIT #1: Vulkan0 # 1 inputs: [embd (  16K)] \n" +
                 node(1, "MUL_MAT", tensor("result_output", "Vulkan0"),
                      {tensor("token_embd.weight", "Vulkan0"), tensor("Vulkan0#embd#0", "NULL")}));
    const Graph& graph = imported.graph;
    const Tensor& read = graph[graph[graph.nodes[0]].src[0]];
    const Tensor& multiplied = graph[graph[graph.nodes[1]].src[0]];
    EXPECT_EQ(read.name, multiplied.name);
    EXPECT_EQ(graph.buffers.at(read.buffer.index()), "weights-CPU");
    EXPECT_EQ(graph.buffers.at(multiplied.buffer.index()), "weights-Vulkan0");
}

// July 2025 printed as in June and already had gated units.
TEST(LogGraph, UsesAGenerationWithItsOperations) {
    const auto log_of = [](const std::string& op) {
        std::string line = node(0, op, tensor("x", "CPU"), {tensor("up", "CPU"), tensor("gate", "CPU")});
        line.erase(line.find(",c=1"), 4);
        return "## SPLIT #0: CPU # 0 inputs\n" + line;
    };
    EXPECT_EQ(graph_of(log_of("ADD")).generation, Generation::g2025_06);
    EXPECT_EQ(graph_of(log_of("SWIGLU")).generation, Generation::g2026_08);
}

/// Two positions before node 5 are not printed.
LogGraph with_views_of_b(const std::vector<std::string>& sources) {
    return graph_of("## SPLIT #0: CPU # 0 inputs\n" +
                    node(0, "ADD", tensor("b", "CPU"), {tensor("a", "CPU"), tensor("a", "CPU")}) +
                    node(3, "ADD", tensor("c", "CPU"), sources));
}

TEST(LogGraph, ViewsFollowTheirSourcesInAnyOrder) {
    const std::string view = tensor("b (view)", "CPU");
    const std::string of_view = tensor("b (view) (view)", "CPU");
    for (const auto& sources : {std::vector{of_view, view}, std::vector{view, of_view}}) {
        const LogGraph imported = with_views_of_b(sources);
        const Graph& graph = imported.graph;
        EXPECT_NO_THROW(validate(graph));
        ASSERT_EQ(graph.nodes.size(), 4U);
        EXPECT_EQ(graph[graph.nodes[1]].name, "b (view)");
        EXPECT_EQ(graph[graph.nodes[2]].name, "b (view) (view)");
        EXPECT_EQ(graph[graph.nodes[2]].src[0], graph.nodes[1]);
    }
    // There is no position after the printed ones.
    EXPECT_NO_THROW(validate(with_views_of_b({of_view, of_view}).graph));
}

TEST(LogGraph, RequiresNodes) {
    const SchedulerLog log = parse_scheduler_log("## SPLIT #0: CPU # 0 inputs\n");
    EXPECT_THROW(graph_of_log(log.graphs.at(0), log.facts), Error);
}

// Positions and copies are looked up, not searched: a long graph takes milliseconds, not minutes.
TEST(LogGraph, Reads100000NodesQuickly) {
    std::string text = "## SPLIT #0: CPU # 0 inputs\n";
    constexpr int kNodes = 100'000;
    text += node(0, "GET_ROWS", tensor("x-0", "CPU"), {tensor("w", "CPU"), tensor("inp", "CPU")});
    for (int i = 1; i < kNodes; ++i) {
        text += node(2 * i, "SILU", tensor(fmt::format("x-{}", i), "CPU"),
                     {tensor(fmt::format("x-{} (view)", i / 2), "CPU")});
    }
    const SchedulerLog log = parse_scheduler_log(text, JobContext().with(MemoryBound::lifted));
    const auto start = std::chrono::steady_clock::now();
    const LogGraph imported = graph_of_log(log.graphs.at(0), log.facts);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(imported.graph.nodes.size(), 2U * kNodes - 1);
}

// Every sixteenth node of a long graph would be a graph of a hundred times the log's size.
TEST(LogGraph, KeepsRecordedSizesWithinTheMemoryBound) {
    const auto graph_with_every = [](int step, int nodes) {
        std::string text = "## SPLIT #0: CPU # 0 inputs\n";
        for (int i = 0; i < nodes; ++i) {
            text += node(step * i, "SILU", tensor(fmt::format("x-{}", i), "CPU"),
                         {tensor(fmt::format("x-{} (view)", i / 2), "CPU")});
        }
        return graph_of(text);
    };
    const LogGraph kept = graph_with_every(16, 2000);
    EXPECT_EQ(kept.graph.nodes.size(), 16U * 1999 + 1);
    constexpr std::size_t kNodes = 20'000;
    const LogGraph imported = graph_with_every(16, kNodes);
    ASSERT_NO_THROW(validate(imported.graph));
    EXPECT_EQ(imported.graph.nodes.size(), kNodes);
    EXPECT_LT(imported.graph.tensors.size(), 3 * kNodes);
    ASSERT_EQ(imported.recorded.splits.size(), 1U);
    EXPECT_EQ(imported.recorded.splits[0].end, kNodes);
    ASSERT_FALSE(imported.remarks.empty());
    EXPECT_EQ(imported.remarks[0], Message(msg::kTooManyMissing));
}

// An accelerator is recorded with each node it refused: a log with many accelerators takes more memory.
TEST(LogGraph, MemoryBoundIncludesAccelerators) {
    constexpr int kNodes = 1000;
    constexpr std::uint64_t kMaxBytes = std::uint64_t{2} << 20;
    const auto nodes_with = [](std::string_view kind, std::uint64_t max_bytes) {
        std::string text;
        for (int i = 0; i < 15; ++i) text += fmt::format("## SPLIT #{}: {}{} # 0 inputs\n", i, kind, i);
        text += "## SPLIT #15: CPU # 0 inputs\n";
        for (int i = 0; i < kNodes; ++i)
            text += node(i, "ADD", tensor(fmt::format("n-{}", i), "CPU"), {tensor("inp", "CPU")});
        const SchedulerLog log = parse_scheduler_log(text);
        return graph_of_log(log.graphs.at(0), log.facts, max_bytes).graph.nodes.size();
    };
    EXPECT_EQ(nodes_with("Vulkan", kMaxBytes), static_cast<std::size_t>(kNodes));
    EXPECT_EQ(nodes_with("BLAS", 2 * kMaxBytes), static_cast<std::size_t>(kNodes));
    try {
        nodes_with("BLAS", kMaxBytes);
        FAIL() << "the bound is not kept";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_bound) << error.what();
    }
}

// The longest name of a log may describe 140 000 views; a tensor keeps the first few.
TEST(LogGraph, HugeNamesTakeLittleMemory) {
    std::string name = "x";
    while (name.size() < 980'000) name += " (view)";
    const LogGraph imported = graph_of(fmt::format("## SPLIT #0: CPU # 1 inputs: [{} (   1K)]\n", name) +
                                       node(0, "SILU", tensor("y", "CPU"), {tensor("inp", "CPU")}));
    ASSERT_NO_THROW(validate(imported.graph));
    EXPECT_LT(imported.graph.tensors.size(), 16U);
}

}  // namespace
}  // namespace splitscope
