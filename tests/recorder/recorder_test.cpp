// SPDX-License-Identifier: MIT
// Recordings of programs, as users make them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "engine/formats/capture_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/import_capture.hpp"
#include "engine/session/simulate.hpp"
#include "engine/support/file.hpp"
#include "tests/cli/process.hpp"
#include "tests/recorder/marked_models.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

std::string program(const std::string& name) {
    return (fs::path(SPLITSCOPE_PROGRAMS) / name).string();
}

Outcome record(const TemporaryFolder& folder, const std::vector<std::string>& what) {
    std::vector<std::string> arguments = {"record", "-o", (folder.path() / "seen.capture.json").string(),
                                          "--"};
    arguments.insert(arguments.end(), what.begin(), what.end());
    return splitscope(arguments);
}

Capture recorded(const TemporaryFolder& folder) {
    return parse_capture_json(read_text_file(folder.path() / "seen.capture.json"));
}

/// Every recorded graph, decided by our scheduler on the recorded machine.
void expect_the_same_decisions(const Capture& capture) {
    for (std::size_t i = 0; i < capture.graphs.size(); ++i) {
        const auto opened = open_captured_graph(capture, i);
        const Simulation ours =
            simulate(opened->graph, std::make_shared<const Machine>(*opened->machine), *opened->generation);
        ASSERT_FALSE(ours.schedule->error) << ours.schedule->error->message;
        const RecordedComparison compared = compare_with_recorded(*ours.schedule, *opened->recorded);
        EXPECT_GE(compared.compared, opened->graph->nodes.size()) << "graph " << i;
        for (const RecordedDifference& difference : compared.elsewhere) {
            ADD_FAILURE() << "graph " << i << ": " << (*opened->graph)[difference.tensor].name << " is on "
                          << difference.recorded << ", ours on " << difference.ours;
        }
        EXPECT_FALSE(compared.first_split)
            << "graph " << i << " " << capture.graphs[i].purpose << ": split " << compared.first_split->value
            << " of " << compared.recorded_splits << " differs, ours are " << compared.our_splits;
    }
}

class RealEngine : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0)
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
    }

    /// Folder of a package's libraries; empty if it could not be installed.
    static std::string libraries(const std::string& package) {
        const fs::path folder = fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp" /
                                package / "bins" / package;
        return fs::exists(folder / "libggml-base.so") ? folder.string() : std::string();
    }
    static std::string model() {
        const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
        const fs::path folder = chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR;
        const fs::path file = folder / "models" / "stories260K.gguf";
        return fs::exists(file) ? file.string() : std::string();
    }
};

TEST_F(RealEngine, CpuRecordingMatchesOurDecisions) {
    const std::string folder = libraries("linux-x64");
    if (folder.empty()) GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
    if (model().empty()) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    const TemporaryFolder target;
    const Outcome outcome = record(target, {program("reference_host"), folder, model(), "0", "5"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    // Output of the program without the recorder.
    EXPECT_TRUE(outcome.out.starts_with("286\n399\n344\n444\n429\n")) << outcome.out;
    const Capture capture = recorded(target);
    EXPECT_EQ(capture.generation, Generation::g2026_08);
    ASSERT_FALSE(capture.graphs.empty());
    const CapturedGraph& decode = capture.graphs[capture.main_graph()];
    EXPECT_EQ(decode.purpose, "decode");
    ASSERT_EQ(decode.timings.size(), 1U);
    EXPECT_EQ(decode.timings[0].times, 4U);
    EXPECT_FALSE(decode.recorded.splits.empty());
    expect_the_same_decisions(capture);
}

TEST_F(RealEngine, TwoBackendRecordingMatchesOurDecisions) {
    const std::string folder = libraries("linux-x64-vulkan");
    if (folder.empty()) GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
    if (model().empty()) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    const TemporaryFolder target;
    // Makes the reference engine accept a software device.
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    const Outcome outcome = record(target, {program("reference_host"), folder, model(), "3", "1"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Capture capture = recorded(target);
    ASSERT_FALSE(capture.graphs.empty());
    const CapturedGraph& decode = capture.graphs[capture.main_graph()];
    if (decode.machine.backends.size() < 2) GTEST_SKIP() << "NO VULKAN DEVICE: one backend only";
    EXPECT_GT(decode.recorded.splits.size(), 1U);
    expect_the_same_decisions(capture);
}

/// Models of every architecture with half of their layers on the device: the numbers of nodes and splits
/// equal the engine's.
TEST_F(RealEngine, SplitsOfEveryArchitectureMatch) {
    const std::string folder = libraries("linux-x64-vulkan");
    if (folder.empty()) GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    const fs::path archs = fs::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "archs";
    if (!fs::exists(archs)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    ::setenv("REFERENCE_HOST_MARKERS", "1", 1);
    struct Case {
        std::string name;
        std::vector<std::string> arguments;
        nlohmann::json run;
    };
    std::vector<Case> cases;
    const TemporaryFolder target;
    for (const auto& entry : fs::directory_iterator(archs)) {
        if (entry.path().extension() != ".gguf") continue;
        const std::string name = entry.path().stem().string();
        const auto known = nlohmann::json::parse(read_file(archs / (name + ".json")));
        const std::string layers = std::to_string(known["half_ngl"].get<int>());
        const auto& runs = known["runs"];
        const auto run = std::ranges::find_if(runs, [&](const nlohmann::json& one) {
            return one["backends"] == "vk" && one["flags"] == "-ngl " + layers + " -c 512" &&
                   one.contains("splits");
        });
        if (run == runs.end()) continue;
        // Weights do not matter: the file is the header and a hole.
        const fs::path model = target.path() / entry.path().filename();
        fs::copy_file(entry.path(), model);
        fs::permissions(model, fs::perms::owner_write, fs::perm_options::add);
        fs::resize_file(model, known["file_bytes"].get<std::uintmax_t>());
        cases.push_back({name, {model.string(), layers, "0"}, *run});
    }
    ASSERT_GT(cases.size(), 100U);
    // A program loads several models, because loading the device's driver takes longer than that; a recording
    // has at most 256 graphs.
    constexpr std::size_t kModelsPerProgram = 30;
    for (std::size_t begin = 0; begin < cases.size(); begin += kModelsPerProgram) {
        const std::size_t count = std::min(kModelsPerProgram, cases.size() - begin);
        const auto batch = std::span(cases).subspan(begin, count);
        std::vector<std::string> host = {program("reference_host"), folder};
        for (const Case& one : batch) host.insert(host.end(), one.arguments.begin(), one.arguments.end());
        const Outcome outcome = record(target, host);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        const auto models = by_model(recorded(target).graphs,
                                     [](const CapturedGraph& graph) -> const Graph& { return graph.graph; });
        ASSERT_EQ(models.size(), batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Case& one = batch[i];
            ASSERT_FALSE(models[i].empty()) << one.name;
            if (models[i].front().machine.backends.size() < 2) {
                GTEST_SKIP() << "NO VULKAN DEVICE: one backend only";
            }
            for (const char* kind : {"prompt", "decode"}) {
                EXPECT_TRUE(
                    std::ranges::any_of(models[i],
                                        [&](const CapturedGraph& graph) {
                                            return graph.purpose == "reserve" &&
                                                   graph.graph.nodes.size() == one.run["nodes"][kind] &&
                                                   graph.recorded.splits.size() == one.run["splits"][kind];
                                        }))
                    << one.name << " " << kind;
            }
        }
    }
}

TEST(StandIn, IsRecorded) {
    for (const char* name : {"stand_in_host_plain", "stand_in_host_of_2024"}) {
        const TemporaryFolder target;
        const Outcome outcome = record(target, {program(name)});
        ASSERT_EQ(outcome.exit_code, 0) << name << outcome.err;
        EXPECT_TRUE(outcome.out.starts_with("computed 1 7\n")) << outcome.out;
        const Capture capture = recorded(target);
        ASSERT_EQ(capture.graphs.size(), 1U) << name;
        const Graph& graph = capture.graphs[0].graph;
        ASSERT_EQ(graph.nodes.size(), 2U);
        EXPECT_EQ(graph[graph.nodes[0]].op, Op::sqr);
        EXPECT_EQ(graph[graph.nodes[1]].name, "a root");
        EXPECT_EQ(graph[graph.nodes[1]].src[0], graph.nodes[0]);
        EXPECT_TRUE(graph[graph.leafs.at(0)].is_input());
        expect_the_same_decisions(capture);
    }
}

TEST(StandIn, ContinuesBeyondTheGraphLimit) {
    const TemporaryFolder target;
    const Outcome outcome = record(target, {program("stand_in_host_plain"), "300"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GE(line_count(outcome.out), 300U);
    const Capture capture = recorded(target);
    EXPECT_EQ(capture.graphs.size(), 256U);
    ASSERT_FALSE(capture.remarks.empty());
    EXPECT_NE(english(capture.remarks.back()).find("more than 256 distinct graphs"), std::string::npos);
}

TEST(StandIn, UnknownLayoutIsRefusedWithoutHarm) {
    const TemporaryFolder target;
    const Outcome outcome = record(target, {program("stand_in_host_unknown_layout")});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(outcome.out.starts_with("computed 1 7\n")) << outcome.out;
    EXPECT_NE(outcome.err.find("the layout of tensors is not known"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(target.path() / "seen.capture.json"));
}

TEST(StandIn, MissingFunctionIsRefusedWithoutHarm) {
    const TemporaryFolder target;
    const Outcome outcome = record(target, {program("stand_in_host_lacking")});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(outcome.out.starts_with("computed 1 7\n")) << outcome.out;
    EXPECT_NE(outcome.err.find("lacks the functions ggml_get_name"), std::string::npos) << outcome.err;
}

TEST(Record, ReportsProgramsWithNothingToRecord) {
    const TemporaryFolder target;
    const Outcome outcome = record(target, {"/bin/true"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("nothing was recorded"), std::string::npos) << outcome.err;
    EXPECT_EQ(record(target, {"/no/such/program"}).exit_code, 2);
}

TEST(Record, ReportsARemovedRecordingFolder) {
    const TemporaryFolder target;
    const Outcome outcome = record(target, {"/bin/sh", "-c", "rm -r \"$SPLITSCOPE_RECORD_FOLDER\""});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("the recording cannot be read"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(target.path() / "seen.capture.json"));
}

TEST(Record, ChecksTheTargetFirst) {
    const TemporaryFolder target;
    // Not even root can create files in /proc.
    for (const std::string& place : {(target.path() / "missing" / "x.capture.json").string(),
                                     target.path().string(), std::string("/proc/x.capture.json")}) {
        const Outcome outcome = splitscope({"record", "-o", place, "--", "/bin/sh", "-c",
                                            "touch '" + (target.path() / "ran").string() + "'"});
        EXPECT_EQ(outcome.exit_code, 2) << place;
        EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
        EXPECT_NE(outcome.err.find(place + ": cannot write: "), std::string::npos) << outcome.err;
    }
    EXPECT_TRUE(fs::is_empty(target.path())) << "the program ran";
}

/// The program removes the folder of its recording.
TEST(Record, KeepsTheRecordingIfItCannotBeWritten) {
    const TemporaryFolder target;
    const fs::path temporary = target.path() / "tmp";
    const fs::path gone = target.path() / "gone";
    fs::create_directory(temporary);
    fs::create_directory(gone);
    Start start;
    start.environment["TMPDIR"] = temporary.string();
    const Outcome outcome =
        splitscope({"record", "-o", (gone / "x.capture.json").string(), "--", "/bin/sh", "-c",
                    "rmdir '" + gone.string() + "'; exec '" + program("stand_in_host_plain") + "'"},
                   start);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(line_count(outcome.err), 1U) << outcome.err;
    ASSERT_EQ(std::distance(fs::directory_iterator(temporary), fs::directory_iterator()), 1);
    const std::string kept = fs::directory_iterator(temporary)->path().string();
    EXPECT_NE(outcome.err.find("the recording is kept in " + kept), std::string::npos) << outcome.err;
    const Outcome written =
        splitscope({"record", "--from", kept, "-o", (target.path() / "seen.capture.json").string()});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    const Capture capture = recorded(target);
    ASSERT_EQ(capture.graphs.size(), 1U);
    expect_the_same_decisions(capture);
    EXPECT_TRUE(fs::exists(kept)) << "whoever kept it removes it";
}

/// Chats are often ended by several interrupts.
TEST(Record, ForwardsInterruptsToTheProgram) {
    const TemporaryFolder target;
    Start start;
    start.sigint = std::chrono::milliseconds(100);
    start.after = "ready";
    start.sigints = 3;
    const Outcome outcome =
        splitscope({"record", "-o", (target.path() / "seen.capture.json").string(), "--", "/bin/sh", "-c",
                    "trap '' INT; echo ready; sleep 0.5; exec '" + program("stand_in_host_plain") + "'"},
                   start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(recorded(target).graphs.size(), 1U);
}

TEST(Record, ForwardsOtherSignals) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer keeps signals back while a program is waited for";
#endif
    const TemporaryFolder target;
    for (const int signal : {SIGTERM, SIGHUP}) {
        Start start;
        start.sigint = std::chrono::milliseconds(20);
        start.after = "ready";
        start.signal = signal;
        const Outcome outcome =
            splitscope({"record", "-o", (target.path() / "seen.capture.json").string(), "--", "/bin/sh", "-c",
                        "trap 'exit 7' TERM HUP; '" + program("stand_in_host_plain") +
                            "'; echo ready; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done"},
                       start);
        EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
        EXPECT_NE(outcome.err.find("ended with exit code 7"), std::string::npos) << outcome.err;
        EXPECT_EQ(recorded(target).graphs.size(), 1U);
    }
}

TEST(Record, NeverOverwritesTheProgram) {
    const TemporaryFolder target;
    const fs::path host = target.path() / "host";
    fs::copy_file(program("stand_in_host_plain"), host);
    const std::string before = read_file(host);
    const std::string input = target.file("model.gguf", "precious");
    Start in_path;
    in_path.environment["PATH"] = target.path().string();
    EXPECT_EQ(splitscope({"record", "-o", host.string(), "--", host.string()}).exit_code, 2);
    EXPECT_EQ(splitscope({"record", "-o", host.string(), "--", "host"}, in_path).exit_code, 2);
    EXPECT_EQ(splitscope({"record", "-o", input, "--", host.string(), input}).exit_code, 2);
    EXPECT_EQ(read_file(host), before);
    EXPECT_EQ(read_file(input), "precious");
}

/// Preloaded libraries are separated by blanks and colons.
TEST(Record, WorksFromAnyFolder) {
    for (const char* name : {"a b", "c:d"}) {
        const TemporaryFolder target;
        const fs::path folder = target.path() / name;
        fs::create_directory(folder);
        fs::copy_file(SPLITSCOPE_RECORDER_LIBRARY, folder / "recorder.so");
        Start start;
        start.environment["SPLITSCOPE_RECORDER"] = (folder / "recorder.so").string();
        const std::vector<std::string> arguments = {"record", "-o",
                                                    (target.path() / "seen.capture.json").string(), "--",
                                                    program("stand_in_host_plain")};
        const Outcome outcome = splitscope(arguments, start);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(recorded(target).graphs.size(), 1U);
        // The location of the link would not help.
        start.environment["TMPDIR"] = folder.string();
        const Outcome refused = splitscope(arguments, start);
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_NE(refused.err.find("a space or a colon"), std::string::npos) << refused.err;
    }
}

TEST(Record, AcceptsOnlyFilesFromAFolder) {
    const TemporaryFolder target;
    ASSERT_EQ(::mkfifo((target.path() / "pipe").c_str(), 0600), 0);
    const Outcome outcome = splitscope(
        {"record", "--from", target.path().string(), "-o", (target.path() / "seen.capture.json").string()});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
}

TEST(Record, RefusesAFolderWithoutRecordings) {
    const TemporaryFolder target;
    const auto from = [&](const std::string& folder, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"record", "--from", folder, "-o",
                                              (target.path() / "seen.capture.json").string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splitscope(arguments);
    };
    const std::string empty = (target.path() / "empty").string();
    fs::create_directory(empty);
    EXPECT_EQ(from(empty).exit_code, 2);
    EXPECT_EQ(from(empty + "/").exit_code, 2);
    EXPECT_EQ(from((target.path() / "missing").string()).exit_code, 2);
    EXPECT_EQ(from(empty, {"--", "/bin/true"}).exit_code, 2) << "a program as well";
    EXPECT_FALSE(fs::exists(target.path() / "seen.capture.json"));
}

TEST(Record, RecordingsOpenLikeOtherFiles) {
    const TemporaryFolder target;
    ASSERT_EQ(record(target, {program("stand_in_host_plain")}).exit_code, 0);
    const std::string file = (target.path() / "seen.capture.json").string();
    for (const char* command : {"import", "schedule", "inspect"}) {
        const Outcome outcome = splitscope({command, file});
        EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
    }
}

std::string example_log() {
    return std::string(SPLITSCOPE_SOURCE_DIR) + "/docs/examples/half-on-the-gpu.log";
}

TEST(Import, ComparesALogWithOurDecisions) {
    const Outcome outcome = splitscope({"import", example_log(), "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["graphs"].size(), 3U);
    EXPECT_EQ(json["splits"], 2);
    EXPECT_EQ(json["comparison"]["same"], true);
    EXPECT_EQ(splitscope({"import", example_log(), "--graph-number", "4"}).exit_code, 2);
}

TEST(Import, WritesFilesWithTheSameSchedule) {
    const TemporaryFolder target;
    const std::string graph = (target.path() / "log.graph.json").string();
    ASSERT_EQ(splitscope({"import", example_log(), "--graph-number", "1", "-o", graph}).exit_code, 0);
    EXPECT_TRUE(fs::exists(target.path() / "log.machine.json"));
    const Outcome outcome = splitscope({"schedule", graph, "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["splits"].size(), 35U);
}

TEST(Import, ComparesDecisionsOnAnotherMachine) {
    const Outcome outcome =
        splitscope({"import", example_log(), "--json", "--machine",
                    std::string(SPLITSCOPE_SOURCE_DIR) + "/docs/examples/gpu-without-soft-max.machine.json"});
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_FALSE(nlohmann::json::parse(outcome.out)["comparison"]["elsewhere"].empty());
}

}  // namespace
}  // namespace splitscope::test
