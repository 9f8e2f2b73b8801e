// SPDX-License-Identifier: MIT
#include "engine/importers/scheduler_log.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/tensor/tensor.hpp"
#include "tests/support/times.hpp"

namespace splitscope {
namespace {

using testing::times;

// Two backends, as a program that prints fragments unchanged writes it.
const std::string kPlain =
    "\n"
    "## SPLIT #0: CPU # 0 inputs\n"
    "node #  0 (  GET_ROWS):             inp_embd (   8K) [  CPU         ]:    token_embd.weight ( 128K) [  "
    "CPU   "
    "      ]           inp_tokens (   0K) [  CPU         ]\n"
    "\n"
    "## SPLIT #1: Vulkan0 # 2 inputs: [inp_embd (   8K)] [odd [name] (x) (  12M)] \n"
    "node #  1 (  RMS_NORM):               norm-0 (   8K) [Vulka         ] use=1,c=1:   Vulkan0#inp_embd#0 ( "
    "  8K) [ "
    "NULL         ]\n"
    "node #  4 (FLASH_ATTN):               attn-0 (12345) [Vulka    2.sup] use=2,c=0:               norm-0 ( "
    "  8K) "
    "[Vulka         ]\n";

TEST(SchedulerLog, ReadsSplitsNodesSourcesAndSizes) {
    const SchedulerLog log = parse_scheduler_log(kPlain);
    EXPECT_EQ(log.notes_total, 0U);
    ASSERT_EQ(log.graphs.size(), 1U);
    const LoggedGraph& graph = log.graphs[0];
    ASSERT_EQ(graph.splits.size(), 2U);
    EXPECT_EQ(graph.line, 2U);
    EXPECT_EQ(graph.splits[0].backend, "CPU");
    EXPECT_TRUE(graph.splits[0].inputs.empty());
    EXPECT_EQ(graph.splits[1].backend, "Vulkan0");
    ASSERT_EQ(graph.splits[1].inputs.size(), 2U);
    EXPECT_EQ(graph.splits[1].inputs[1].name, "odd [name] (x)");
    EXPECT_EQ(graph.splits[1].inputs[1].bytes, 12U << 20);
    EXPECT_EQ(graph.splits[1].first_node, 1U);
    EXPECT_EQ(graph.splits[1].node_count, 2U);
    ASSERT_EQ(graph.nodes.size(), 3U);
    EXPECT_EQ(graph.nodes[0].op, "GET_ROWS");
    EXPECT_EQ(graph.nodes[0].source_count, 2U);
    EXPECT_FALSE(graph.nodes[0].uses.has_value());
    EXPECT_EQ(graph.nodes[2].index, 4);
    EXPECT_EQ(graph.nodes[2].tensor.cause, "2.sup");
    EXPECT_EQ(graph.nodes[2].tensor.bytes, std::uint64_t{12345} << 20);
    EXPECT_EQ(graph.nodes[2].uses, 2);
    EXPECT_EQ(graph.nodes[2].computed, false);
    EXPECT_EQ(graph.sources[2].backend, "NULL");
}

/// Puts `prefix` before every fragment of a plain log, like the loggers of programs.
std::string with_prefix(const std::string& plain, const std::string& prefix) {
    std::string out;
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = plain.find('\n', at);
        const std::string line = plain.substr(at, end - at);
        at = end + 1;
        std::size_t done = 0;
        const auto fragment = [&](std::size_t until) {
            out += prefix + line.substr(done, until - done);
            done = until;
        };
        if (line.starts_with("## ")) {
            if (const auto colon = line.find("inputs:"); colon != std::string::npos) {
                fragment(colon + 6);
                fragment(colon + 8);
                for (auto bracket = line.find(")] ", done); bracket != std::string::npos;
                     bracket = line.find(")] ", done))
                    fragment(bracket + 3);
            }
        } else if (const auto bracket = line.find(']'); bracket != std::string::npos) {
            fragment(line.find(':', bracket) + 1);
            while (done < line.size()) fragment(line.find(']', done) + 1);
        }
        if (done < line.size()) fragment(line.size());
        out += prefix + "\n";
    }
    return out;
}

class Prefixed : public ::testing::TestWithParam<const char*> {};

TEST_P(Prefixed, LogIsReadLikeAPlainOne) {
    const SchedulerLog plain = parse_scheduler_log(kPlain);
    const SchedulerLog log = parse_scheduler_log(with_prefix(kPlain, GetParam()));
    EXPECT_EQ(log.notes_total, 0U) << (log.notes.empty() ? "" : english(log.notes[0].what));
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_TRUE(log.graphs[0].same_content(plain.graphs[0]));
}

INSTANTIATE_TEST_SUITE_P(Loggers, Prefixed,
                         ::testing::Values("0.00.008.764 D ", "123.59.008.764 D ", "D ",
                                           "\x1b[34m0.00.008.764\x1b[0m \x1b[36mD \x1b[0m",
                                           "\x1b[36mD \x1b[0m"));

TEST(SchedulerLog, AcceptsWindowsLineEndsContainersAndColours) {
    std::string text;
    for (std::size_t at = 0; at < kPlain.size();) {
        const std::size_t end = kPlain.find('\n', at);
        text += "\x1b[1;33mserver-1  | \x1b[0m" + kPlain.substr(at, end - at) + "\r\n";
        at = end + 1;
    }
    const SchedulerLog log = parse_scheduler_log(text);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_TRUE(log.graphs[0].same_content(parse_scheduler_log(kPlain).graphs[0]));
}

TEST(SchedulerLog, KeepsEqualGraphsOnce) {
    const SchedulerLog log = parse_scheduler_log(kPlain + kPlain + kPlain);
    EXPECT_EQ(log.graphs_total, 3U);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_EQ(log.graphs[0].times, 3U);
}

// The header of a graph ends the previous one, whose texts are discarded if it was already known.
TEST(SchedulerLog, GraphAfterARepeatedOneKeepsItsNames) {
    std::string other = kPlain;
    const std::string header =
        "## SPLIT #0: Backend of that graph alone # 1 inputs: [an input of it alone (   8K)]";
    other.replace(other.find("## SPLIT #0: CPU # 0 inputs"), 27, header);
    const SchedulerLog log = parse_scheduler_log(kPlain + kPlain + other);
    ASSERT_EQ(log.graphs.size(), 2U);
    const LoggedSplit& split = log.graphs[1].splits[0];
    EXPECT_EQ(split.backend, "Backend of that graph alone");
    ASSERT_EQ(split.inputs.size(), 1U);
    EXPECT_EQ(split.inputs[0].name, "an input of it alone");
    EXPECT_TRUE(log.graphs[1].same_content(parse_scheduler_log(other).graphs[0]));
}

TEST(SchedulerLog, GraphsDifferingInOneFieldAreDistinct) {
    const auto variants = [](std::string_view part, std::string_view instead) {
        std::string other = kPlain;
        other.replace(other.find(part), part.size(), instead);
        return parse_scheduler_log(kPlain + other + kPlain).graphs.size();
    };
    EXPECT_EQ(variants("inp_tokens", "inp_others"), 2U);
    EXPECT_EQ(variants("odd [name]", "new [name]"), 2U);
    EXPECT_EQ(variants("GET_ROWS", "SET_ROWS"), 2U);
    EXPECT_EQ(variants("2.sup", "3.sup"), 2U);
    EXPECT_EQ(variants("use=1", "use=3"), 2U);
    EXPECT_EQ(variants("c=0", "c=1"), 2U);
    EXPECT_EQ(variants("#1: ", "#2: "), 2U);
    EXPECT_EQ(variants("# 2 inputs", "# 3 inputs"), 2U);
}

// Graphs are looked up by a complete key: many similar graphs take milliseconds, not hours.
TEST(SchedulerLog, ReadsManySimilarGraphsQuickly) {
    constexpr std::size_t kGraphs = 100'000;
    std::string text;
    for (std::size_t i = 0; i < kGraphs; ++i)
        text += fmt::format("## SPLIT #0: C # 1 inputs: [{:06x} (   1K)]\n", i);
    const auto start = std::chrono::steady_clock::now();
    const SchedulerLog log = parse_scheduler_log(text, JobContext().with(MemoryBound::lifted));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(log.graphs.size(), kGraphs);
}

TEST(SchedulerLog, TruncatedLogIsImportedToItsEnd) {
    const std::size_t whole = parse_scheduler_log(kPlain).graphs[0].nodes.size();
    for (std::size_t length = 0; length <= kPlain.size(); ++length) {
        const SchedulerLog head = parse_scheduler_log(kPlain.substr(0, length));
        for (const LoggedGraph& graph : head.graphs) EXPECT_LE(graph.nodes.size(), whole);
        const SchedulerLog tail = parse_scheduler_log(kPlain.substr(length));
        for (const LoggedGraph& graph : tail.graphs) EXPECT_LE(graph.nodes.size(), whole);
    }
    const SchedulerLog cut = parse_scheduler_log(kPlain.substr(0, kPlain.find("[Vulka    2.sup]")));
    EXPECT_EQ(cut.graphs[0].nodes.size(), 2U);
    ASSERT_EQ(cut.notes.size(), 1U);
    EXPECT_EQ(cut.notes[0].line, 7U);
    // A graph without its beginning is marked, and the rest is kept.
    const SchedulerLog late = parse_scheduler_log(kPlain.substr(kPlain.find("inp_tokens")));
    ASSERT_EQ(late.graphs.size(), 1U);
    EXPECT_TRUE(late.graphs[0].starts_midway);
    EXPECT_EQ(late.graphs[0].nodes.size(), 2U);
    EXPECT_EQ(late.notes.size(), 1U);
}

TEST(SchedulerLog, MarksAGraphWithoutItsEnd) {
    EXPECT_FALSE(parse_scheduler_log(kPlain).graphs[0].ends_early);
    // Within a line.
    const std::string start = kPlain.substr(0, kPlain.find("[Vulka    2.sup]"));
    EXPECT_TRUE(parse_scheduler_log(start).graphs[0].ends_early);
    // Between lines: a graph before has more nodes.
    const SchedulerLog log = parse_scheduler_log(kPlain + kPlain.substr(0, kPlain.find("node #  4")));
    ASSERT_EQ(log.graphs.size(), 2U);
    EXPECT_FALSE(log.graphs[0].ends_early);
    EXPECT_TRUE(log.graphs[1].ends_early);
    // Not if the program went on.
    const SchedulerLog other =
        parse_scheduler_log(kPlain + kPlain.substr(0, kPlain.find("node #  4")) + "main: done\n");
    EXPECT_FALSE(other.graphs[1].ends_early);
}

TEST(SchedulerLog, NotesForeignOutputByLine) {
    std::string text = kPlain;
    text.insert(text.find("node #  4"), "main: something else is said here\n");
    text += "main: and after the graph, where it is no concern\n";
    const SchedulerLog log = parse_scheduler_log(text);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_TRUE(log.graphs[0].same_content(parse_scheduler_log(kPlain).graphs[0]));
    ASSERT_EQ(log.notes.size(), 1U);
    EXPECT_EQ(log.notes[0].line, 7U);
    EXPECT_NE(english(log.notes[0].what).find("something else"), std::string::npos);
}

TEST(SchedulerLog, JoinsInterleavedLines) {
    std::string text = kPlain;
    text.insert(text.find("           inp_tokens"), "\nload: other output\n");
    const SchedulerLog log = parse_scheduler_log(text);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_TRUE(log.graphs[0].same_content(parse_scheduler_log(kPlain).graphs[0]));
    EXPECT_EQ(log.notes.size(), 1U);
}

TEST(SchedulerLog, ForeignTextLosesOnlyWhatItOverwrites) {
    std::string text = kPlain;
    text.insert(text.find("GET_ROWS"), "Ctrl-C");
    const SchedulerLog log = parse_scheduler_log(text);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_EQ(log.graphs[0].nodes.size(), 2U);
    ASSERT_EQ(log.notes.size(), 1U);
    EXPECT_EQ(log.notes[0].line, 3U);
}

/// Other lines that programs print; those of their layers, buffers and schedulers are known.
const std::string kOtherLines =
    "load_tensors: layer   2 assigned to device GPU0, is_swa = 0\n"
    "tensor blk.0.ffn_up_exps.weight (12 MiB q4_K) buffer type overridden to CPU\n"
    "0.00.041.232 I load_tensors:   CPU_Mapped model buffer size =     1.25 MiB\n"
    "llm_load_tensors:        CPU buffer size =    70.31 MiB\n"
    "llama_kv_cache:       GPU0 KV buffer size =     0.12 MiB\n"
    "sched_reserve:       GPU0 compute buffer size =     0.50 MiB\n"
    "sched_reserve:        CPU compute buffer size =     0.61 MiB\n"
    "sched_reserve: graph nodes  = 161\n"
    "sched_reserve: graph splits = 35 (with bs=32), 2 (with bs=1)\n"
    "sched_reserve: reserve took 7.09 ms, sched copies = 4\n"
    "x: layer 3 is assigned to device GPU0 but the Flash Attention tensor is assigned to device CPU "
    "(usually ...)\n";

TEST(SchedulerLog, CollectsFactsOfOtherLines) {
    const LogFacts facts = parse_scheduler_log(kOtherLines).facts;
    EXPECT_EQ(facts.compute_buffers, (std::vector<std::string>{"GPU0", "CPU"}));
    EXPECT_EQ(facts.copies, 4);
    EXPECT_FALSE(is_scheduler_log("load_tensors: nothing about splits"));
}

TEST(SchedulerLog, NotesOnlyUnknownLinesWithinGraphs) {
    const std::string_view plain = kPlain;
    const auto middle = plain.rfind("node #");
    const auto notes_with = [&](std::string_view lines) {
        return parse_scheduler_log(
                   fmt::format("{}{}{}", plain.substr(0, middle), lines, plain.substr(middle)))
            .notes_total;
    };
    EXPECT_EQ(notes_with(kOtherLines), 0U);
    EXPECT_EQ(notes_with("load_tensors: layer two\n"), 1U);
    EXPECT_EQ(notes_with("sched_reserve: graph nodes\n"), 1U);
    EXPECT_EQ(notes_with("llama_kv_cache: GPU0 KV buffer size = large\n"), 1U);
}

TEST(SchedulerLog, StopsOnRequest) {
    std::string text;
    while (text.size() < (std::size_t{4} << 20)) text += kPlain;
    std::stop_source stop;
    double furthest = 0;
    const JobContext job(stop.get_token(), [&](double fraction, const Message&) {
        furthest = fraction;
        if (fraction > 0.3) stop.request_stop();
    });
    EXPECT_THROW(parse_scheduler_log(text, job), Cancelled);
    EXPECT_GT(furthest, 0.3);
    EXPECT_LT(furthest, 0.9);
}

TEST(SchedulerLog, SkipsLongLinesAndBinaryData) {
    std::string text = std::string(3 << 20, 'x') + "\n" + kPlain;
    for (int i = 0; i < 4096; ++i) text += static_cast<char>(i * 37);
    const SchedulerLog log = parse_scheduler_log(text);
    ASSERT_EQ(log.graphs.size(), 1U);
    EXPECT_EQ(log.graphs[0].nodes.size(), 3U);
    EXPECT_EQ(log.notes[0].line, 1U);
}

// A line is searched once, whatever it repeats.
TEST(SchedulerLog, ReadsLinesOfMarkersQuickly) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string_view marks :
         {"## SPLIT #0: ", "## SPLIT #0: C # 5 inputs: [", "## SPLIT #0: C # 5 inputs: [a (",
          "## SPLIT #0: # # # ", "node #", "node #  0 (       ADD): "}) {
        const std::string line = times(marks, (std::size_t{1} << 20) / marks.size());
        const SchedulerLog log = parse_scheduler_log(line + "\n" + kPlain);
        EXPECT_EQ(log.graphs.back().nodes.size(), 3U) << marks;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(SchedulerLog, HeadersOnOneLineAreSeparated) {
    const SchedulerLog log = parse_scheduler_log(
        "## SPLIT #0: CPU # 2 inputs: [a (   1K)] [cut## SPLIT #1: GPU0 # 1 inputs: [b (   2K)] node #  0 (  "
        "     "
        "ADD):                    c (   1K) [ GPU0         ]:                    d (   1K) [ GPU0         "
        "]\n");
    ASSERT_EQ(log.graphs.size(), 1U);
    const LoggedGraph& graph = log.graphs[0];
    ASSERT_EQ(graph.splits.size(), 2U);
    ASSERT_EQ(graph.splits[0].inputs.size(), 1U);
    EXPECT_EQ(graph.splits[0].inputs[0].name, "a");
    ASSERT_EQ(graph.splits[1].inputs.size(), 1U);
    EXPECT_EQ(graph.splits[1].inputs[0].name, "b");
    EXPECT_EQ(graph.splits[1].node_count, 1U);
    EXPECT_EQ(log.notes_total, 2U);  // an input fewer than declared, and the rest of it
}

TEST(SchedulerLog, TruncatesNamesLikeTensors) {
    const std::string name = "x" + times("é", 100);
    const SchedulerLog log =
        parse_scheduler_log(fmt::format("## SPLIT #0: {} # 1 inputs: [{} (   1K)]\n", name, name));
    ASSERT_EQ(log.graphs.size(), 1U);
    const LoggedSplit& split = log.graphs[0].splits.at(0);
    ASSERT_EQ(split.inputs.size(), 1U);
    EXPECT_EQ(split.inputs[0].name, name.substr(0, kMaxNameBytes));
    EXPECT_EQ(split.backend, name.substr(0, kMaxNameBytes));
    const std::string shifted = times("é", 100);
    const SchedulerLog other =
        parse_scheduler_log(fmt::format("## SPLIT #0: C # 1 inputs: [{} (   1K)]\n", shifted));
    EXPECT_EQ(other.graphs.at(0).splits.at(0).inputs.at(0).name, shifted.substr(0, kMaxNameBytes - 1));
}

}  // namespace
}  // namespace splitscope
