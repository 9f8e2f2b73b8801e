// SPDX-License-Identifier: MIT
// `splitscope attach` and `capture` with unmodified builds of the reference engine.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/attach/program_end.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "tests/attach/attach_fixture.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

class AttachCommandLine : public AttachTest {};

TEST_P(AttachCommandLine, FindsTheFirstNan) {
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,3";
    std::vector<std::string> arguments = {"attach", "--first-nan", "--json", "--"};
    for (const std::string& word : host(20)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["not_finite"], true);
    ASSERT_EQ(json["stops"].size(), 1U);
    const auto& stop = json["stops"][0];
    EXPECT_EQ(stop["node"], "ffn_norm-3@MUL");
    EXPECT_EQ(stop["graph"], 3);
    EXPECT_EQ(stop["tensors"][0]["nan"], 1);
    EXPECT_EQ(stop["tensors"][2]["name"], "blk.3.ffn_norm.weight");
    EXPECT_EQ(stop["tensors"][2]["nan"], 0);

    Start sound;
    const Outcome fine = splitscope(arguments, sound);
    EXPECT_EQ(fine.exit_code, 0) << fine.err;
    EXPECT_EQ(nlohmann::json::parse(fine.out)["not_finite"], false);
}

TEST_P(AttachCommandLine, ComparesEveryNodeOfPromptAndTokenWithOurKernels) {
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--json", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    const Outcome fine = splitscope(arguments);
    EXPECT_EQ(fine.exit_code, 0) << fine.out << fine.err;
    const auto same = nlohmann::json::parse(fine.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), same), "");
    EXPECT_GT(same["comparison"]["compared"], 80);
    EXPECT_EQ(same["comparison"]["complete"], true);
    EXPECT_TRUE(same["comparison"]["exceeding"].empty()) << same["comparison"];
    EXPECT_TRUE(same["comparison"]["stray_writes"].empty()) << same["comparison"];
    ASSERT_EQ(same["comparison"]["graphs"].size(), 2U);
    const auto& prompt = same["comparison"]["graphs"][0];
    const auto& token = same["comparison"]["graphs"][1];
    EXPECT_EQ(prompt["graph_kind"], "prompt of 7 tokens");
    EXPECT_EQ(token["graph_kind"], "decode of one token");
    EXPECT_EQ(token["graph"], 2);
    EXPECT_GT(prompt["compared"], 80);
    EXPECT_EQ(token["complete"], true);

    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,2";
    const Outcome planted = splitscope(arguments, start);
    EXPECT_EQ(planted.exit_code, 1) << planted.err;
    const auto different = nlohmann::json::parse(planted.out);
    ASSERT_FALSE(different["comparison"]["exceeding"].empty());
    EXPECT_EQ(schema_problem(schema_named("attach"), different), "");
    EXPECT_EQ(different["comparison"]["exceeding"][0]["node"], "ffn_norm-3@MUL");
    EXPECT_EQ(different["comparison"]["first"]["node"], "ffn_norm-3@MUL");
    EXPECT_EQ(different["comparison"]["first"]["tensors"][0]["nan"], 1);
}

TEST_P(AttachCommandLine, NamesTheNodeThatChangesAnOperand) {
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    for (const int graph : {1, 2}) {
        SCOPED_TRACE(graph);
        Start start;
        // Each layer has two nodes of this name.
        start.environment["REFERENCE_HOST_SPOIL"] = graph == 1 ? "norm-3,1,operand" : "norm-3,3,operand";
        std::erase(arguments, "--json");
        const Outcome text = splitscope(arguments, start);
        EXPECT_EQ(text.exit_code, 1) << text.err;
        EXPECT_NE(text.out.find("  graph " + std::to_string(graph) + ": norm-3 (RMS_NORM) on "),
                  std::string::npos)
            << text.out;
        EXPECT_NE(text.out.find(" changes its operand 0, l_out-2 (ADD): "), std::string::npos) << text.out;
        EXPECT_NE(text.out.find(" bytes from byte 0\n"), std::string::npos) << text.out;
        arguments.insert(arguments.begin() + 1, "--json");
        const auto json = nlohmann::json::parse(splitscope(arguments, start).out);
        EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
        const auto& comparison = json["comparison"];
        ASSERT_EQ(comparison["stray_writes"].size(), 1U) << comparison;
        const auto& write = comparison["stray_writes"][0];
        EXPECT_EQ(write["graph"], graph);
        EXPECT_EQ(write["node"], "norm-3@RMS_NORM");
        EXPECT_EQ(write["tensor"], "l_out-2@ADD");
        EXPECT_EQ(write["operand"], 0);
        EXPECT_EQ(write["offset"], 0);
        EXPECT_EQ(write["bytes"], 8);
        // Nodes that read the changed operand later are not blamed.
        EXPECT_TRUE(comparison["exceeding"].empty()) << comparison;
    }
}

TEST_P(AttachCommandLine, NamesTheNodeThatWritesPastItsResult) {
    if (std::string(GetParam().layers) != "0") GTEST_SKIP() << "its memory is not accessible";
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--json", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    Start start;
    start.environment["REFERENCE_HOST_SPOIL"] = "Qcur-1,1,beyond";
    const Outcome outcome = splitscope(arguments, start);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    const auto& writes = json["comparison"]["stray_writes"];
    ASSERT_EQ(writes.size(), 1U) << json["comparison"];
    EXPECT_EQ(writes[0]["node"], "Qcur-1@MUL_MAT");
    EXPECT_EQ(writes[0]["distance"], 0);
    EXPECT_TRUE(json["comparison"]["exceeding"].empty()) << json["comparison"];
    std::erase(arguments, "--json");
    const Outcome text = splitscope(arguments, start);
    EXPECT_NE(text.out.find("Qcur-1 (MUL_MAT) on CPU writes past the end of its result: 8 bytes"),
              std::string::npos)
        << text.out;
}

TEST_P(AttachCommandLine, DetachesOnAnInterruptForItAlone) {
    std::string command;
    for (const std::string& word : host(20)) command += "'" + word + "' ";
    command += "; sleep 5";
    std::vector<std::string> arguments = {"attach", "--profile", "--break", "l_out-2,graph=2",
                                          "--",     "/bin/sh",   "-c",      command};
    Start start;
    start.sigint = std::chrono::milliseconds(0);
    start.after = "Stop 1: ";
    const Outcome text = splitscope(arguments, start);
    EXPECT_EQ(text.exit_code, 130) << text.err;
    EXPECT_NE(text.out.find("\nOperation "), std::string::npos) << text.out;
    EXPECT_NE(text.err.find("Interrupted: detached from /bin/sh (pid "), std::string::npos) << text.err;
    arguments.insert(arguments.begin() + 1, "--json");
    start.after.clear();
    start.sigint = std::chrono::milliseconds(2000);
    const Outcome ended = splitscope(arguments, start);
    EXPECT_EQ(ended.exit_code, 130) << ended.err;
    const auto json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["end"]["detached"], true);
}

TEST_P(AttachCommandLine, OffersSimilarNames) {
    std::vector<std::string> arguments = {"attach",        "--break", "l_out_2",        "--break",
                                          "op=MUL_MAT_ID", "--break", "ffn_nrom-3@MUL", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string note :
         {"--break l_out_2: never stopped the program; the most similar names are l_out-2, ",
          "--break op=MUL_MAT_ID: never stopped the program; the most similar names are MUL_MAT, ",
          "--break ffn_nrom-3@MUL: never stopped the program; the most similar names are ffn_norm-3@MUL, "})
        EXPECT_NE(outcome.err.find(note), std::string::npos) << note << outcome.err;
    const TemporaryFolder target;
    arguments = {"attach", "--dump", "l_out_2=" + (target.path() / "x.npy").string(), "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome dump = splitscope(arguments);
    EXPECT_EQ(dump.exit_code, 2);
    EXPECT_NE(dump.err.find("l_out-2"), std::string::npos) << dump.err;
}

TEST_P(AttachCommandLine, NumbersNodesOfOneNameAndOperation) {
    std::vector<std::string> arguments = {"attach", "--break", "norm-3@RMS_NORM#2,graph=1", "--"};
    for (const std::string& word : host(1)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_NE(outcome.out.find("\nStop 1: norm-3 #2 (RMS_NORM) on "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("\nresult     norm-3 #2  "), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, NamesBackendsThatTheProgramDidNotLoad) {
    const TemporaryFolder folder;
    for (const auto& entry : fs::directory_iterator(libraries_))
        fs::create_symlink(entry.path(), folder.path() / entry.path().filename());
    const std::string broken = folder.file("libggml-broken.so", "no library");
    libraries_ = folder.path().string();
    std::vector<std::string> arguments = {"attach", "--json", "--"};
    for (const std::string& word : host(1)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(broken + " was not loaded by the program\n"), std::string::npos)
        << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    const auto& files = json["unloaded_backends"];
    EXPECT_NE(std::find(files.begin(), files.end(), broken), files.end()) << files;
}

TEST_P(AttachCommandLine, ReproducesTheProgramsSchedules) {
    std::vector<std::string> arguments = {"attach", "--verify", "--json", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    const auto& verified = json["verification"];
    ASSERT_EQ(verified.size(), json["graphs"].size());
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> buffers;  // theirs, ours, at most
    for (std::size_t g = 0; g < verified.size(); ++g) {
        const auto& graph = verified[g];
        EXPECT_EQ(graph["same"], true) << graph;
        // Of a graph that is only split, the splits are not visible.
        if (json["graphs"][g]["purpose"] == "split") continue;
        EXPECT_GT(graph["their_splits"], 0);
        EXPECT_EQ(graph["our_splits"], graph["their_splits"]);
        EXPECT_EQ(graph["our_copies"], graph["their_copies"]);
        for (const auto& size : graph["compute_buffers"]) {
            auto& [theirs, ours] = buffers[size["backend"]];
            theirs = std::max(theirs, size["theirs"].get<std::uint64_t>());
            ours = std::max(ours, size["ours"].get<std::uint64_t>());
        }
    }
    ASSERT_FALSE(buffers.empty());
    // The scheduler keeps the buffers of its largest graph; pinned ones have 32 bytes more for alignment.
    for (const auto& [backend, sizes] : buffers) {
        const auto [theirs, ours] = sizes;
        EXPECT_TRUE(theirs == ours || theirs == ours + 32) << backend << ": " << theirs << ", ours " << ours;
    }
}

TEST_P(AttachCommandLine, WritesATimeline) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "x.trace.json").string();
    std::vector<std::string> arguments = {"attach", "--timeline", file, "--json", "--"};
    for (const std::string& word : host(4)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(read_file(file));
    EXPECT_EQ(schema_problem(schema_named("trace"), json), "");
    std::size_t graphs = 0;
    std::size_t splits = 0;
    double before = 0;
    for (const auto& event : json["traceEvents"]) {
        if (event["ph"] != "X") continue;
        if (event["cat"] == "graph") {
            ++graphs;
            EXPECT_GE(event["ts"], before);
            before = event["ts"];
        }
        splits += event["cat"] == "compute" ? 1 : 0;
    }
    EXPECT_EQ(graphs, 4U);
    EXPECT_GE(splits, graphs);
    EXPECT_EQ(json["traceEvents"][1]["args"]["name"], "graphs");
}

TEST_P(AttachCommandLine, SavesValuesToAFile) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "x.npy").string();
    std::vector<std::string> arguments = {"attach",    "--dump", "l_out-2,graph=2=" + file,
                                          "--profile", "--json", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(read_file(file).starts_with("\x93NUMPY"));
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    ASSERT_EQ(json["profile"].size(), 2U);
    EXPECT_EQ(json["profile"][0]["graph"], "prompt of 7 tokens");
    arguments.erase(arguments.begin() + 4);
    const Outcome text = splitscope(arguments);
    ASSERT_EQ(text.exit_code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with("286\n399\n344\n")) << text.out;
    EXPECT_NE(text.out.find("FLASH_ATTN_EXT"), std::string::npos) << text.out;
}

/// The values of a NumPy file of floats.
std::vector<float> values_in(const std::string& file) {
    const std::string content = read_file(file);
    constexpr std::size_t kPrefix = 10;
    if (content.size() < kPrefix) return {};
    const std::size_t header =
        static_cast<unsigned char>(content[8]) + 256U * static_cast<unsigned char>(content[9]);
    return floats(content.substr(kPrefix + header));
}

TEST_P(AttachCommandLine, SavesWeightsInputsAndViews) {
    const TemporaryFolder target;
    const auto file = [&](const std::string& name) { return (target.path() / (name + ".npy")).string(); };
    std::vector<std::string> arguments = {"attach",
                                          "--dump",
                                          "inp_tokens,graph=1=" + file("tokens"),
                                          "--dump",
                                          "token_embd.weight,graph=2=" + file("weight"),
                                          "--dump",
                                          "Vcur-1,graph=2=" + file("node"),
                                          "--dump",
                                          "Vcur-1 (view),graph=2=" + file("view"),
                                          "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(values_in(file("tokens")), (std::vector<float>{1, 403, 407, 261, 378, 270, 281}));
    EXPECT_NE(read_file(file("weight")).find("'shape': (512, 64)"), std::string::npos);
    EXPECT_EQ(values_in(file("weight")).size(), 512U * 64U);
    EXPECT_EQ(values_in(file("node")).size(), 32U);
    EXPECT_EQ(values_in(file("node")), values_in(file("view")));
    EXPECT_NE(outcome.err.find("Wrote " + file("weight") + ": token_embd.weight in graph 2\n"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find(": Vcur-1@MUL_MAT in graph 2\n"), std::string::npos) << outcome.err;
}

TEST_P(AttachCommandLine, NamesTheSavedNodeOfSeveral) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "x.npy").string();
    std::vector<std::string> arguments = {"attach", "--dump", "l_out-*,graph=2=" + file, "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome last = splitscope(arguments);
    EXPECT_EQ(last.exit_code, 0) << last.err;
    EXPECT_NE(last.err.find("Wrote " + file + ": l_out-4@ADD in graph 2, the last of 5 tensors\n"),
              std::string::npos)
        << last.err;
    fs::remove(file);
    arguments[2] = "Qcur-0=" + file;
    const Outcome refused = splitscope(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("2 nodes are named 'Qcur-0'"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("choose one of: Qcur-0@MUL_MAT, Qcur-0@ROPE"), std::string::npos)
        << refused.err;
    EXPECT_FALSE(fs::exists(file));
}

TEST_P(AttachCommandLine, ShowsAndSavesAroundRepackedWeights) {
    model_ = (fs::path(model_).parent_path() / "tiny-llama256-q4_0.gguf").string();
    if (!fs::exists(model_)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    std::vector<std::string> arguments = {"attach", "--break", "Qcur-0@MUL_MAT,graph=2", "--json", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_TRUE(json["never_met"].empty());
    ASSERT_EQ(json["stops"].size(), 1U);
    const auto& weight = json["stops"][0]["tensors"][1];
    EXPECT_EQ(weight["name"], "blk.0.attn_q.weight");
    if (weight["state"] != "repacked") GTEST_SKIP() << "the weights are not repacked here";
    EXPECT_FALSE(weight.contains("values"));

    const TemporaryFolder target;
    const std::string file = (target.path() / "x.npy").string();
    arguments[1] = "--dump";
    arguments[2] = "blk.0.attn_q.weight,graph=2=" + file;
    const Outcome refused = splitscope(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_NE(refused.err.find("its values are repacked by the backend"), std::string::npos) << refused.err;
    EXPECT_FALSE(fs::exists(file));

    arguments = {"attach", "--compare-backends", "--json", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    const Outcome compared = splitscope(arguments);
    EXPECT_EQ(compared.exit_code, 0) << compared.out << compared.err;
    EXPECT_EQ(nlohmann::json::parse(compared.out)["comparison"]["complete"], true);
}

TEST_P(AttachCommandLine, ClaimsNothingOfAnIncompleteToken) {
    Start start;
    start.environment["REFERENCE_HOST_KILL"] = "l_out-2,2";
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("\nNo result, because the program ended before a graph was complete:\n"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("No difference"), std::string::npos) << outcome.out;
    arguments.insert(arguments.begin() + 1, "--json");
    const auto json = nlohmann::json::parse(splitscope(arguments, start).out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["comparison"]["complete"], false);
}

TEST_P(AttachCommandLine, PrintsStopsWhileTheProgramIsPaused) {
    std::vector<std::string> arguments = {"attach",  "--break",      "l_out-2,graph=3",
                                          "--break", "no-such-node", "--"};
    for (const std::string& word : host(4)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("286\n399\n\nStop 1: l_out-2 (ADD) on ")) << outcome.out;
    EXPECT_TRUE(outcome.out.ends_with("\n344\n444\n")) << outcome.out;
    EXPECT_NE(outcome.out.find("  available\n"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err,
              "--break no-such-node: never stopped the program; the most similar names are result_norm, "
              "norm-0, norm-1\n4 graphs "
              "computed, 2 distinct\n");
}

TEST_P(AttachCommandLine, ReportsBreaksAfterTheLastGraph) {
    std::vector<std::string> arguments = {"attach",  "--json",          "--break", "l_out-2,graph=99",
                                          "--break", "l_out-2,graph=1", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(
                  "--break l_out-2,graph=99: never stopped the program; the program computed 2 graphs\n"),
              std::string::npos)
        << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["never_met"], std::vector{"l_out-2,graph=99"});
    EXPECT_EQ(json["stops"].size(), 1U);
}

TEST_P(AttachCommandLine, ListsTheBackendsOfAnUnknownOne) {
    std::vector<std::string> arguments = {"attach", "--break", "backend=Nope", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(
        outcome.err.starts_with("--break backend=Nope: never stopped the program; the program's backends: "))
        << outcome.err;
    EXPECT_NE(outcome.err.find("CPU\n"), std::string::npos) << outcome.err;
}

TEST_P(AttachCommandLine, NamesTheConditionOfARefusedDump) {
    std::vector<std::string> arguments = {"attach", "--dump", "l_out-2,graph=x=out.npy", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("splitscope: stop condition: 'l_out-2,graph=x' is not valid"))
        << outcome.err;
}

TEST_P(AttachCommandLine, PrintsHowOftenGraphsWereComputed) {
    std::vector<std::string> arguments = {"attach", "--profile", "--rows", "1", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("computed once in "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("computed 2 times in "), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, PrintsSmallTolerances) {
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,2";
    const Outcome outcome = splitscope(arguments, start);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_TRUE(outcome.out.find("First difference: ffn_norm-3 (MUL) on ") < outcome.out.find(" compared, "))
        << outcome.out;
    EXPECT_NE(outcome.out.find("operand 1  blk.3.ffn_norm.weight"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(" 1e-"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, CapturesReservedGraphsOfANamedProgram) {
    const TemporaryFolder target;
    const std::string arguments = (target.path() / "arguments").string();
    const std::string tokens = (target.path() / "tokens").string();
    const std::string script = target.file(
        "chat", "#!/bin/sh\necho \"$@\" > '" + arguments + "'\nexec '" + program("reference_host") + "' '" +
                    libraries_ + "' \"$2\" " + GetParam().layers + " 400 > '" + tokens + "'\n");
    fs::permissions(script, fs::perms::owner_all);
    const std::string file = (target.path() / "x.capture.json").string();
    const Outcome outcome =
        splitscope({"capture", model_, "--program", script, "-o", file, "-ngl", "7", "-ot", "x=CPU"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(read_file(arguments), "-m " + model_ + " -ngl 7 -ot x=CPU\n");
    EXPECT_LT(line_count(read_file(tokens)), 400U) << "it was not stopped";
    const Capture capture = parse_capture_json(read_file(file));
    EXPECT_EQ(capture.program, "chat");
    std::size_t reserved = 0;
    for (const CapturedGraph& graph : capture.graphs) {
        if (graph.purpose != "reserve") continue;
        ++reserved;
        EXPECT_FALSE(graph.recorded.splits.empty());
        EXPECT_EQ(graph.graph.nodes.size(), capture.graphs.front().graph.nodes.size());
    }
    EXPECT_GE(reserved, 2U);
    EXPECT_EQ(splitscope({"import", file}).exit_code, 0);
    EXPECT_NE(outcome.out.find("prompt of 512 tokens, reserved: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("decode of one token, reserved: "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("only split: splits not known\n"), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, MeetsEveryConditionOfANode) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "x.npy").string();
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,3";
    // The condition of --break is met at both of the others.
    std::vector<std::string> arguments = {
        "attach", "--break", "op=MUL,hits=2", "--dump", "ffn_norm-3,graph=2=" + file, "--first-nan",
        "--json", "--"};
    for (const std::string& word : host(20)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_TRUE(fs::exists(file));
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["not_finite"], true);
    ASSERT_GE(json["stops"].size(), 2U);
    EXPECT_EQ(json["stops"].back()["node"], "ffn_norm-3@MUL");
    EXPECT_EQ(json["stops"].back()["breakpoint"], 3);
    const auto& before = json["stops"][json["stops"].size() - 2];
    EXPECT_EQ(before["node"], "ffn_norm-3@MUL");
    EXPECT_EQ(before["breakpoint"], 1);
}

TEST_P(AttachCommandLine, FindsTheFirstNanAfterTheLastStop) {
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,3";
    std::vector<std::string> arguments = {"attach", "--break",     "l_out-1", "--stops",
                                          "1",      "--first-nan", "--"};
    for (const std::string& word : host(20)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("\nffn_norm-3 (MUL) is the first node with a NaN or an infinity: 1 NaN of 64 "
                               "values; the values of its operands were finite\n"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("Stop 3"), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, NotesThatTheFirstGraphWasNotCompleted) {
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,1";
    std::vector<std::string> arguments = {"attach", "--first-nan", "--"};
    for (const std::string& word : host(20)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "The program ended in its first graph\n");
}

TEST_P(AttachCommandLine, ShowsTypesAndShapes) {
    std::vector<std::string> arguments = {"attach", "--break", "ffn_up-1,graph=1", "--"};
    for (const std::string& word : host(1)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("f32   172 × 7"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("64 × 172"), std::string::npos) << outcome.out;
    arguments.insert(arguments.begin() + 1, "--json");
    const auto json = nlohmann::json::parse(splitscope(arguments).out);
    EXPECT_EQ(schema_problem(schema_named("attach"), json), "");
    EXPECT_EQ(json["stops"][0]["tensors"][0]["shape"], (std::vector<int>{172, 7, 1, 1}));
}

TEST_P(AttachCommandLine, ReportsWhyNoTokenWasCompared) {
    Start start;
    start.environment["REFERENCE_HOST_ABORT"] = "1";
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments, start);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("GGML_ASSERT"), std::string::npos) << outcome.err;
}

TEST_P(AttachCommandLine, WritesValuesOfGraphsAfterTheComparison) {
    const TemporaryFolder target;
    const std::filesystem::path file = target.path() / "x.npy";
    std::vector<std::string> arguments = {"attach",  "--compare-backends",
                                          "--break", "l_out-2,graph=4",
                                          "--dump",  "l_out-2,graph=4=" + file.string(),
                                          "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(file)) << outcome.err;
    EXPECT_NE(outcome.out.find(": l_out-2 (ADD) on "), std::string::npos) << outcome.out;
}

TEST_P(AttachCommandLine, KeepsTheProfileWhenAValueIsMissing) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "x.npy").string();
    std::vector<std::string> arguments = {"attach", "--profile", "--dump", "no-such-node=" + file, "--"};
    for (const std::string& word : host(2)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("no such node was computed"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("decode of one token: "), std::string::npos) << outcome.out;
}

INSTANTIATE_TEST_SUITE_P(Builds, AttachCommandLine, kBuilds,
                         [](const auto& build) { return name_of_build(build); });

TEST(AttachCommand, ReportsHowAProgramEndedThatComputedNothing) {
    const auto problem_of = [](const AttachEnd& end) {
        try {
            throw nothing_seen(end, "llama-cli");
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    AttachEnd end;
    EXPECT_NE(problem_of(end).find("BUILD_SHARED_LIBS"), std::string::npos);
    end.attached = true;
    EXPECT_NE(problem_of(end).find("no graph"), std::string::npos);
    end.program.exit_code = 3;
    EXPECT_NE(problem_of(end).find("exit code 3"), std::string::npos);
    end.program = {0, SIGABRT};
    end.abort_message = "ggml-backend.cpp:1: no room";
    EXPECT_NE(problem_of(end).find("no room"), std::string::npos);
    end.refusal = Message::verbatim("an unknown layout");
    EXPECT_NE(problem_of(end).find("an unknown layout"), std::string::npos);

    for (const std::string command : {"attach --", "capture x.gguf --program"}) {
        std::vector<std::string> arguments;
        std::istringstream words(command);
        for (std::string word; words >> word;) arguments.push_back(word);
        if (arguments[0] == "capture") arguments[1] = sample_model();
        arguments.emplace_back("/bin/false");
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_NE(outcome.err.find("exit code 1"), std::string::npos) << outcome.err;
    }
}

TEST(AttachCommand, ReportsProcessesThatWereNotDebugged) {
    const std::string hosts = program("stand_in_host_plain") + " 2; " + program("stand_in_host_plain") + " 3";
    const Outcome text = splitscope({"attach", "--first-nan", "--", "/bin/sh", "-c", hosts});
    EXPECT_EQ(text.exit_code, 1) << text.err;
    EXPECT_NE(text.out.find("All values of 2 graphs of the debugged process are finite\n"), std::string::npos)
        << text.out;
    EXPECT_NE(text.err.find("another process (pid "), std::string::npos) << text.err;
    EXPECT_EQ(splitscope({"attach", "--", "/bin/sh", "-c", hosts}).exit_code, 0);
    const Outcome json = splitscope({"attach", "--json", "--", "/bin/sh", "-c", hosts});
    const auto written = nlohmann::json::parse(json.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), written), "");
    EXPECT_EQ(written["end"]["not_debugged"].size(), 1U);
}

TEST(AttachCommand, ReportsImpossibleRequests) {
    EXPECT_EQ(splitscope({"attach"}).exit_code, 2);
    const Outcome nothing = splitscope({"attach", "--", "/bin/true"});
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_NE(nothing.err.find("no computation"), std::string::npos) << nothing.err;
    const Outcome built_in = splitscope({"attach", "--", program("stand_in_host_static"), "2"});
    EXPECT_EQ(built_in.exit_code, 2);
    EXPECT_EQ(built_in.out, "computed 1 7\ncomputed 1 7\n");
    EXPECT_NE(built_in.err.find("BUILD_SHARED_LIBS"), std::string::npos) << built_in.err;
    EXPECT_EQ(splitscope({"attach", "--", "/no/such/program"}).exit_code, 2);
    EXPECT_EQ(splitscope({"attach", "--break", "graph=0", "--", "/bin/true"}).exit_code, 2);
    EXPECT_EQ(splitscope({"attach", "--dump", "x", "--", "/bin/true"}).exit_code, 2);
    EXPECT_EQ(splitscope({"capture", sample_model(), "--program", "/bin/true"}).exit_code, 2);
    EXPECT_EQ(splitscope({"capture", "/no/such.gguf"}).exit_code, 2);
    Start nowhere;
    nowhere.environment["PATH"] = "/no/such/folder";
    const Outcome missing = splitscope({"capture", sample_model()}, nowhere);
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_NE(missing.err.find("llama-fit-params: cannot start"), std::string::npos) << missing.err;
    EXPECT_NE(missing.err.find("--program"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace splitscope::test
