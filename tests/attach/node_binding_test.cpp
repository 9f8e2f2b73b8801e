// SPDX-License-Identifier: MIT
// A JavaScript program under the debugger, with the published binding node-llama-cpp.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/attach/attached_program.hpp"
#include "tests/attach/attach_fixture.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

TEST(AttachNodeBinding, StopsReadsAndContinues) {
    const std::string command =
        std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "' binding";
    if (std::system(command.c_str()) != 0) GTEST_LOG_(WARNING) << "the binding was not installed";
    if (std::system("command -v node >/dev/null") != 0) GTEST_SKIP() << "NO NODE: install node.js";
    const fs::path modules = fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "binding" / "node_modules";
    if (!fs::exists(modules / "node-llama-cpp")) GTEST_SKIP() << "NO BINDING: the registry is out of reach";

    const std::string script = std::string(SPLITSCOPE_SOURCE_DIR) + "/tests/attach/generate.mjs";
    AttachOptions options;
    options.program = {"node", script, modules.string(), sample_model(), "4"};
    options.output = ProgramOutput::kept;
    // The second token after the prompt.
    options.conditions = {StopCondition::parse("l_out-1,graph=3")};
    std::vector<std::string> words = options.program;
    const Outcome alone = run_program("/usr/bin/env", words);
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    ASSERT_GT(alone.out.size(), 4U);

    AttachedProgram program(options);
    const auto stop = program.wait_for_stop(0);
    ASSERT_TRUE(stop) << program.take_error();
    EXPECT_EQ(stop->computation, 3U);
    EXPECT_EQ(stop->graph->title(), "decode of one token");
    EXPECT_EQ((*stop->graph->graph)[stop->tensor].name, "l_out-1");
    const TensorCapture result = program.read(stop->tensor, 1 << 20);
    ASSERT_EQ(result.state, TensorState::computed);
    const std::vector<float> values = floats(result);
    ASSERT_FALSE(values.empty());
    EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
    const RemoteStatistics seen = program.examine(stop->tensor);
    EXPECT_EQ(seen.statistics.min, std::ranges::min(values));
    EXPECT_EQ(seen.statistics.max, std::ranges::max(values));
    EXPECT_LT(seen.statistics.min, seen.statistics.max);
    program.resume();
    EXPECT_FALSE(program.wait_for_stop(stop->number));
    const auto end = program.end();
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->program.succeeded()) << program.take_error();
    EXPECT_EQ(program.take_output(), alone.out);
}

}  // namespace
}  // namespace splitscope::test
