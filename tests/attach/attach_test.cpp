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
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/attach/attached_program.hpp"
#include "engine/attach/program_profile.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/attach/attach_fixture.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

class Attach : public AttachTest {};

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
    EXPECT_TRUE(end.program.succeeded());
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
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
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
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
}

TEST_P(Attach, RefusesRepackedWeights) {
    model_ = (fs::path(model_).parent_path() / "tiny-llama256-q4_0.gguf").string();
    if (!fs::exists(model_)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    const std::string tokens = output_without_debugger(2);
    AttachedProgram program(options(2, {"Qcur-0@MUL_MAT,graph=2"}));
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop) << program.take_error();
    const TensorId weight = tensor_named(*stop, "blk.0.attn_q.weight");
    ASSERT_TRUE(weight.valid());
    const TensorState state = program.examine(weight).state;
    const auto problem_of = [](const auto& request) {
        try {
            request();
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::internal;
    };
    if (state == TensorState::repacked) {
        EXPECT_EQ(problem_of([&] { program.read(weight, 1 << 20); }), ErrorKind::unsupported);
        const std::vector<std::byte> zeros(16);
        EXPECT_EQ(problem_of([&] { program.write(weight, 0, zeros); }), ErrorKind::unsupported);
    }
    EXPECT_EQ(program.read(stop->tensor, 1 << 20).state, TensorState::computed);
    program.resume();
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
    EXPECT_EQ(program.take_output(), tokens);
    // Not every processor has kernels for repacked weights.
    if (state != TensorState::repacked) GTEST_SKIP() << "the weights are not repacked here";
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
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
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
        EXPECT_TRUE(end.program.succeeded());
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
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
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
    EXPECT_TRUE(wait_for_end(one).program.succeeded());
    EXPECT_TRUE(wait_for_end(other).program.succeeded());
}

TEST_P(Attach, UsesTheProgramsOwnCallback) {
    const TemporaryFolder target;
    Start alone;
    alone.environment["REFERENCE_HOST_VALUES"] = "l_out-2," + (target.path() / "alone").string();
    output_without_debugger(3, alone);
    AttachOptions made = options(3, {"l_out-2", "op=ROPE,graph=2"});
    made.environment = {{"REFERENCE_HOST_VALUES", "l_out-2," + (target.path() / "watched").string()}};
    AttachedProgram program(made);
    EXPECT_TRUE(wait_for_end(program).program.succeeded());
    EXPECT_EQ(read_file(target.path() / "watched"), read_file(target.path() / "alone"));
}

TEST_P(Attach, KeepsTheLastOutput) {
    AttachOptions made = options(1);
    made.environment = {{"REFERENCE_HOST_ABORT", "1"}};
    AttachedProgram program(made);
    const AttachEnd end = wait_for_end(program);
    EXPECT_EQ(end.program.signal, SIGABRT);
    EXPECT_NE(end.abort_message.find("GGML_ASSERT"), std::string::npos) << end.abort_message;
}

INSTANTIATE_TEST_SUITE_P(Builds, Attach, kBuilds, [](const auto& build) { return name_of_build(build); });

}  // namespace
}  // namespace splitscope::test
