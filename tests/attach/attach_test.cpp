// SPDX-License-Identifier: MIT
// Unmodified builds of the reference engine under the debugger.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/attach/attached_program.hpp"
#include "engine/attach/program_profile.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

struct Build {
    const char* package;
    const char* layers;  ///< on the device
};

std::string program(const std::string& name) {
    return (fs::path(SPLITSCOPE_PROGRAMS) / name).string();
}

std::vector<float> floats(const std::string& bytes) {
    std::vector<float> out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
}

std::vector<float> floats(const TensorCapture& capture) {
    std::vector<float> out(capture.bytes.size() / sizeof(float));
    std::memcpy(out.data(), capture.bytes.data(), out.size() * sizeof(float));
    return out;
}

class Attach : public ::testing::TestWithParam<Build> {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0) {
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
        }
        // Makes the reference engine accept a software device.
        ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    }
    void SetUp() override {
        const std::string package = GetParam().package;
        libraries_ = (fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp" / package /
                      "bins" / package)
                         .string();
        if (!fs::exists(fs::path(libraries_) / "libggml-base.so")) {
            GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
        }
        const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
        model_ =
            (fs::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models" / "stories260K.gguf")
                .string();
        if (!fs::exists(model_)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    }

    std::vector<std::string> host(int steps) const {
        return {program("reference_host"), libraries_, model_, GetParam().layers, std::to_string(steps)};
    }
    AttachOptions options(int steps, const std::vector<std::string>& conditions = {}) const {
        AttachOptions made;
        made.program = host(steps);
        made.output = ProgramOutput::kept;
        for (const std::string& text : conditions) made.conditions.push_back(StopCondition::parse(text));
        return made;
    }
    std::string output_without_debugger(int steps, const Start& start = {}) const {
        std::vector<std::string> arguments = host(steps);
        const std::string name = arguments.front();
        arguments.erase(arguments.begin());
        return run_program(name, arguments, start).out;
    }
    static TensorId tensor_named(const AttachStop& stop, const std::string& name) {
        return stop.graph->identities->find(name);
    }
    static AttachEnd wait_for_end(AttachedProgram& program) {
        std::uint64_t seen = 0;
        while (const auto stop = program.wait_for_stop(seen)) {
            seen = stop->number;
            program.resume();
        }
        return *program.end();
    }

    std::string libraries_;
    std::string model_;
};

TEST_P(Attach, StopsAtANodeOfTheThirdToken) {
    const TemporaryFolder target;
    Start alone;
    const std::string file = (target.path() / "values").string();
    alone.environment["REFERENCE_HOST_VALUES"] = "l_out-2," + file;
    const std::string tokens = output_without_debugger(4, alone);
    const std::vector<float> all = floats(read_file(file));
    constexpr std::size_t kPromptTokens = 7;
    constexpr std::size_t kWidth = 64;
    ASSERT_EQ(all.size(), (kPromptTokens + 3) * kWidth);
    const std::vector<float> expected(all.begin() + (kPromptTokens + 1) * kWidth,
                                      all.begin() + (kPromptTokens + 2) * kWidth);

    AttachedProgram program(options(4, {"l_out-2,graph=3"}));
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop) << program.take_error();
    EXPECT_EQ(stop->computation, 3U);
    EXPECT_EQ(stop->reason, StopReason::breakpoint);
    EXPECT_EQ(stop->graph->title(), "decode of one token");
    ASSERT_TRUE(stop->tensor.valid());
    EXPECT_EQ((*stop->graph->graph)[stop->tensor].name, "l_out-2");
    const TensorCapture there = program.read(stop->tensor, 1 << 20);
    EXPECT_EQ(there.state, TensorState::computed);
    EXPECT_EQ(floats(there), expected);
    const RemoteStatistics seen = program.examine(stop->tensor);
    EXPECT_EQ(seen.statistics.count, static_cast<std::int64_t>(kWidth));
    EXPECT_EQ(seen.statistics.min, *std::ranges::min_element(expected));
    EXPECT_EQ(seen.statistics.max, *std::ranges::max_element(expected));
    // Later nodes are not computed, weights are available, and reads beyond a tensor's end fail.
    EXPECT_EQ(program.read(tensor_named(*stop, "l_out-4"), 1 << 20).state, TensorState::not_computed);
    const TensorCapture weight = program.read(tensor_named(*stop, "blk.0.attn_norm.weight"), 1 << 20);
    EXPECT_EQ(weight.state, TensorState::computed);
    EXPECT_EQ(weight.bytes.size(), kWidth * sizeof(float));
    program.resume();
    const AttachEnd end = wait_for_end(program);
    EXPECT_TRUE(end.program.well());
    EXPECT_TRUE(end.attached);
    EXPECT_EQ(program.take_output(), tokens);
}

TEST_P(Attach, EditsAValueReadByTheNextNode) {
    AttachedProgram program(options(2, {"attn_norm-4,graph=1"}));
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop) << program.take_error();
    const Tensor& edited = (*stop->graph->graph)[stop->tensor];
    const std::vector<std::byte> zeros(byte_size(edited));
    program.write(stop->tensor, 0, zeros);
    EXPECT_EQ(program.read(stop->tensor, 1 << 20).bytes, zeros);
    program.run_to(tensor_named(*stop, "Vcur-4@MUL_MAT"));
    const auto behind = program.wait_for_stop(stop->number);
    ASSERT_TRUE(behind);
    EXPECT_EQ(behind->reason, StopReason::run_to);
    const RemoteStatistics product = program.examine(behind->tensor);
    EXPECT_GT(product.statistics.count, 0);
    EXPECT_EQ(product.statistics.min, 0.0F);
    EXPECT_EQ(product.statistics.max, 0.0F);
    // Writes beyond a tensor's end fail.
    EXPECT_THROW(program.write(behind->tensor, byte_size((*behind->graph->graph)[behind->tensor]), zeros),
                 Error);
    program.resume();
    EXPECT_TRUE(wait_for_end(program).program.well());
    EXPECT_NE(program.take_output(), output_without_debugger(2));
}

TEST_P(Attach, RefusesToWriteReadOnlyFiles) {
    AttachedProgram program(options(1, {"attn_norm-0"}));
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop);
    const std::vector<std::byte> zeros(4);
    try {
        program.write(tensor_named(*stop, "blk.0.attn_norm.weight"), 0, zeros);
        FAIL() << "the program would have died";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported) << error.what();
    }
    program.resume();
    EXPECT_TRUE(wait_for_end(program).program.well());
}

TEST_P(Attach, StepsByNodeSplitAndGraph) {
    AttachedProgram program(options(4, {"attn_norm-0,graph=1"}));
    auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop);
    const std::size_t first = stop->position;
    program.step_node();
    stop = program.wait_for_stop(stop->number);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->reason, StopReason::step);
    EXPECT_GT(stop->position, first);
    EXPECT_LE(stop->position, first + 3);
    const auto& splits = stop->graph->captured->recorded.splits;
    program.step_split();
    stop = program.wait_for_stop(stop->number);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->position, splits.front().end);
    if (splits.size() > 1) {
        program.step_split();
        stop = program.wait_for_stop(stop->number);
        ASSERT_TRUE(stop);
        EXPECT_EQ(stop->position, splits[1].end);
    }
    program.step_graph();
    stop = program.wait_for_stop(stop->number);
    ASSERT_TRUE(stop);
    EXPECT_EQ(stop->computation, 2U);
    EXPECT_FALSE(stop->tensor.valid());
    program.pause();
    program.resume();
    EXPECT_TRUE(wait_for_end(program).program.well());
    EXPECT_EQ(program.take_output(), output_without_debugger(4));
    // Prompt, token and reserved graphs.
    EXPECT_GE(program.graphs().size(), 3U);
}

TEST_P(Attach, InterruptsARunningProgram) {
    std::unique_ptr<AttachedProgram> program;
    program = std::make_unique<AttachedProgram>(options(2000));
    while (!program->end() && program->take_computations().empty()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    program->pause();
    const auto stop = program->wait_for_stop(0);
    ASSERT_TRUE(stop) << "it ended first";
    EXPECT_EQ(stop->reason, StopReason::pause);
    program->signal(SIGKILL);
    EXPECT_FALSE(program->wait_for_stop(stop->number));
}

TEST_P(Attach, DoesNotChangeTokens) {
    const std::string alone = output_without_debugger(200);
    EXPECT_EQ(line_count(alone), 200U);
    for (const channel::Times times : {channel::Times::calls, channel::Times::nodes}) {
        AttachOptions made = options(200);
        made.times = times;
        AttachedProgram program(made);
        ProgramProfile profile;
        const AttachEnd end = wait_for_end(program);
        EXPECT_TRUE(end.program.well());
        EXPECT_EQ(program.take_output(), alone);
        for (const auto& computation : program.take_computations()) profile.add(*computation);
        const std::vector<ShapeProfile> shapes = profile.shapes();
        ASSERT_EQ(shapes.size(), 2U);
        EXPECT_EQ(shapes[0].graph->title(), "prompt of 7 tokens");
        EXPECT_EQ(shapes[1].computations, 199U);
        EXPECT_EQ(shapes[1].splits.size(), shapes[1].graph->captured->recorded.splits.size());
        EXPECT_EQ(shapes[1].by_node, times == channel::Times::nodes);
        if (times != channel::Times::nodes) continue;
        std::size_t computing = 0;
        for (const TensorId node : shapes[1].graph->graph->nodes) {
            computing += can_stop_at((*shapes[1].graph->graph)[node]) ? 1 : 0;
        }
        EXPECT_EQ(shapes[1].nodes.size(), computing);
        std::set<std::pair<std::string, std::string>> names;
        for (const ProfileEntry& node : shapes[1].nodes) names.emplace(node.name, node.op);
        EXPECT_EQ(names.size(), computing) << "norm-4 is computed twice";
        std::chrono::nanoseconds sum{};
        for (const ProfileEntry& node : shapes[1].nodes) sum += node.total;
        EXPECT_LE(sum, shapes[1].total);
        EXPECT_EQ(shapes[1].layers.empty(), false);
    }
}

TEST_P(Attach, SurvivesTheProgramsExit) {
    AttachedProgram program(options(5, {"l_out-2,graph=2"}));
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop);
    program.signal(SIGKILL);
    EXPECT_FALSE(program.wait_for_stop(stop->number));
    const auto end = program.end();
    ASSERT_TRUE(end);
    EXPECT_EQ(end->program.signal, SIGKILL);
    EXPECT_TRUE(end->attached);
    EXPECT_FALSE(program.graphs().empty());
    EXPECT_THROW(program.read(stop->tensor, 1 << 20), Error);
    program.resume();
    program.step_node();
}

TEST_P(Attach, LeavesTheProgramRunningWhenKilled) {
    const TemporaryFolder target;
    const std::string file = (target.path() / "tokens").string();
    std::string command;
    for (const std::string& word : host(50)) command += "'" + word + "' ";
    command += "> '" + file + ".part'; mv '" + file + ".part' '" + file + "'";
    const pid_t debugger = ::fork();
    ASSERT_GE(debugger, 0);
    if (debugger == 0) {
        AttachOptions made = options(0, {"l_out-2,graph=3"});
        made.program = {"/bin/sh", "-c", command};
        AttachedProgram program(made);
        if (program.wait_for_stop(0)) ::kill(::getpid(), SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(debugger, &status, 0), debugger);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it did not stop";
    for (int i = 0; i < 600 && !fs::exists(file); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(read_file(file), output_without_debugger(50));
}

/// As bindings do that start processes by fork alone.
TEST_P(Attach, LeavesForkedChildrenAlone) {
    const TemporaryFolder target;
    const fs::path file = target.path() / "fork";
    AttachOptions made = options(3, {"l_out-2,graph=2"});
    made.environment = {{"REFERENCE_HOST_FORK", file.string()}};
    AttachedProgram program(made);
    ASSERT_TRUE(program.wait_for_stop(0)) << program.take_error();
    target.file("fork", "");
    const fs::path result = target.path() / "fork.result";
    for (int i = 0; i < 2000 && !fs::exists(result); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(read_file(result), "ended");
    program.resume();
    EXPECT_TRUE(wait_for_end(program).program.well());
    EXPECT_EQ(program.take_output(), output_without_debugger(3));
}

TEST_P(Attach, HandlesTwoProgramsAtOnce) {
    AttachedProgram one(options(3, {"l_out-1,graph=2"}));
    AttachedProgram other(options(3, {"l_out-3,graph=3"}));
    const auto first = one.wait_for_stop(0);
    const auto second = other.wait_for_stop(0);
    ASSERT_TRUE(first && second);
    EXPECT_EQ((*first->graph->graph)[first->tensor].name, "l_out-1");
    EXPECT_EQ((*second->graph->graph)[second->tensor].name, "l_out-3");
    other.resume();
    one.resume();
    EXPECT_TRUE(wait_for_end(one).program.well());
    EXPECT_TRUE(wait_for_end(other).program.well());
}

TEST_P(Attach, UsesTheProgramsOwnCallback) {
    const TemporaryFolder target;
    Start alone;
    alone.environment["REFERENCE_HOST_VALUES"] = "l_out-2," + (target.path() / "alone").string();
    output_without_debugger(3, alone);
    AttachOptions made = options(3, {"l_out-2", "op=ROPE,graph=2"});
    made.environment = {{"REFERENCE_HOST_VALUES", "l_out-2," + (target.path() / "watched").string()}};
    AttachedProgram program(made);
    EXPECT_TRUE(wait_for_end(program).program.well());
    EXPECT_EQ(read_file(target.path() / "watched"), read_file(target.path() / "alone"));
}

TEST_P(Attach, FindsTheFirstNan) {
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

TEST_P(Attach, ComparesEveryNodeOfATokenWithOurKernels) {
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--json", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    const Outcome fine = splitscope(arguments);
    EXPECT_EQ(fine.exit_code, 0) << fine.out << fine.err;
    const auto same = nlohmann::json::parse(fine.out);
    EXPECT_EQ(schema_problem(schema_named("attach"), same), "");
    EXPECT_GT(same["comparison"]["compared"], 80);
    EXPECT_TRUE(same["comparison"]["exceeding"].empty()) << same["comparison"];

    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,2";
    const Outcome planted = splitscope(arguments, start);
    EXPECT_EQ(planted.exit_code, 1) << planted.err;
    const auto different = nlohmann::json::parse(planted.out);
    ASSERT_FALSE(different["comparison"]["exceeding"].empty());
    EXPECT_EQ(different["comparison"]["exceeding"][0]["node"], "ffn_norm-3@MUL");
}

TEST_P(Attach, ReproducesTheProgramsSchedules) {
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

TEST_P(Attach, WritesATimeline) {
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

TEST_P(Attach, KeepsTheLastOutput) {
    AttachOptions made = options(1);
    made.environment = {{"REFERENCE_HOST_ABORT", "1"}};
    AttachedProgram program(made);
    const AttachEnd end = wait_for_end(program);
    EXPECT_EQ(end.program.signal, SIGABRT);
    EXPECT_NE(end.last_words.find("GGML_ASSERT"), std::string::npos) << end.last_words;
}

TEST_P(Attach, SavesValuesToAFile) {
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

TEST_P(Attach, PrintsStopsWhileTheProgramIsPaused) {
    std::vector<std::string> arguments = {"attach",  "--break",      "l_out-2,graph=3",
                                          "--break", "no-such-node", "--"};
    for (const std::string& word : host(4)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("286\n399\n\nStop 1: l_out-2 (ADD) on ")) << outcome.out;
    EXPECT_TRUE(outcome.out.ends_with("\n344\n444\n")) << outcome.out;
    EXPECT_NE(outcome.out.find("  available\n"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.err, "--break no-such-node: never met\n4 graphs computed, 2 distinct\n");
}

TEST_P(Attach, PrintsHowOftenGraphsWereComputed) {
    std::vector<std::string> arguments = {"attach", "--profile", "--rows", "1", "--"};
    for (const std::string& word : host(3)) arguments.push_back(word);
    const Outcome outcome = splitscope(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("computed once in "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("computed 2 times in "), std::string::npos) << outcome.out;
}

TEST_P(Attach, PrintsSmallTolerances) {
    std::vector<std::string> arguments = {"attach", "--compare-backends", "--"};
    for (const std::string& word : host(5)) arguments.push_back(word);
    Start start;
    start.environment["REFERENCE_HOST_PLANT"] = "ffn_norm-3,2";
    const Outcome outcome = splitscope(arguments, start);
    ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_NE(outcome.out.find("First difference: ffn_norm-3 (MUL)"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(" 1e-"), std::string::npos) << outcome.out;
}

TEST_P(Attach, CapturesReservedGraphsOfANamedProgram) {
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

INSTANTIATE_TEST_SUITE_P(Builds, Attach,
                         ::testing::Values(Build{"linux-x64", "0"}, Build{"linux-x64-vulkan", "3"}),
                         [](const auto& build) {
                             return std::string(build.param.package) == "linux-x64" ? "Cpu" : "Vulkan";
                         });

TEST(AttachCommand, ReportsHowAProgramEndedThatComputedNothing) {
    const auto problem_of = [](const AttachEnd& end) {
        try {
            throw_nothing_seen(end, "llama-cli");
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
    end.last_words = "ggml-backend.cpp:1: no room";
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
