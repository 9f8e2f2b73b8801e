// SPDX-License-Identifier: MIT
// llama.cpp's spellings, the same in every command, and the defaults of its programs.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words a, const Words& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

nlohmann::json plan(const Words& switches) {
    const Outcome outcome = splitscope(Words{"plan", "-m", sample_model(), "--json"} + switches);
    EXPECT_EQ(outcome.err, "");
    return nlohmann::json::parse(outcome.out, nullptr, false);
}

std::string switches(const Words& given) {
    return plan(given).value("switches", "");
}

/// A command line of a llama.cpp user.
const Words kPasted = {"-ngl", "3",          "-c",         "512",       "-b",    "256",      "-ub",
                       "64",   "-fa",        "off",        "-ctk",      "f16",   "-ctv",     "f32",
                       "-ot",  "ffn_up=CPU", "-ncmoe",     "1",         "-cmoe", "-ts",      "1",
                       "-sm",  "layer",      "-mg",        "0",         "-nkvo", "-nopo",    "-np",
                       "2",    "-kvu",       "--swa-full", "--no-mmap", "-nr",   "--no-host"};

TEST(Spellings, EveryCommandAcceptsALlamaCppCommandLine) {
    const Words pasted = Words{"-m", sample_model()} + kPasted;
    const Words layers = {"-ngl", "3"};
    const Words device = {"-dev", "rtx-3090,epyc-9654"};
    EXPECT_EQ(splitscope(Words{"plan"} + pasted + device + Words{"-p", "Hi", "-n", "8"}).exit_code, 0);
    EXPECT_EQ(splitscope(Words{"lint", "--fail-on", "error"} + pasted + device).exit_code, 0);
    EXPECT_EQ(splitscope(Words{"schedule"} + pasted).exit_code, 0);
    EXPECT_EQ(splitscope(Words{"schedule"} + pasted + device).exit_code, 0);
    EXPECT_EQ(splitscope(Words{"run"} + pasted + Words{"-p", "Hi", "-n", "1"}).exit_code, 0);
    EXPECT_EQ(splitscope(Words{"bench", "-r", "1"} + pasted + Words{"-p", "4", "-n", "1"}).exit_code, 0);
    EXPECT_LE(splitscope(Words{"compare"} + pasted + Words{"2024-10", "2025-06"}).exit_code, 1);
    EXPECT_EQ(splitscope(Words{"report", "--format", "md", "--run"} + pasted + Words{"-p", "Hi", "-n", "1"})
                  .exit_code,
              0);
    Words searched = {"suggest", "-m", sample_model(), "-c", "512", "-ub", "64", "-fa", "on"};
    EXPECT_EQ(splitscope(searched + device).exit_code, 0);
    const Outcome fixed = splitscope(searched + device + layers);
    EXPECT_EQ(fixed.exit_code, 2);
    EXPECT_NE(fixed.err.find("leave it out"), std::string::npos) << fixed.err;
}

TEST(Spellings, AreEquivalentToOurSwitches) {
    const Words ours = {"--gpu-layers", "3",  "--context",         "512", "--batch",        "256",
                        "--ubatch",     "64", "--flash-attention", "off", "--cache-type-k", "q8_0",
                        "--parallel",   "2"};
    const Words theirs = {"-ngl=3", "--ctx-size", "512",  "--batch-size", "256", "-ub", "64",
                          "-fa",    "0",          "-ctk", "q8_0",         "-np", "2"};
    EXPECT_EQ(switches(theirs), "-ngl 3 -c 512 -b 256 -ub 64 -fa off -ctk q8_0 -np 2");
    EXPECT_EQ(switches(ours), switches(theirs));
    EXPECT_EQ(switches({"--n-gpu-layers", "-1", "-c", "512", "--ubatch-size", "64", "--flash-attn", "on"}),
              "-ngl all -c 512 -b 2048 -ub 64 -fa on -np 4 -kvu");
    EXPECT_EQ(switches({"-c", "512", "-fa", "-np", "3", "-kvu"}),
              "-ngl all -c 512 -b 2048 -ub 512 -fa on -np 3 -kvu")
        << "-fa alone is on";
    EXPECT_EQ(switches({"-c", "512", "-nkvo", "1", "-nopo", "0", "-lm", "none", "--no-host", "-nr"}),
              "-ngl all -c 512 -b 2048 -ub 512 -fa auto -np 4 -kvu -nkvo --no-mmap --no-repack --no-host");
    EXPECT_EQ(switches({"-c", "512", "-ngl", "all", "-dev", "none"}),
              "-ngl all -c 512 -b 2048 -ub 512 -fa auto -np 4 -kvu -dev none");
}

TEST(Spellings, OrderOfExpertsAndRulesIsThatOfTheCommandLine) {
    const auto first = [](const Words& given) {
        const std::string line = switches(Words{"-d", "rtx-3090", "-c", "512"} + given);
        const std::size_t at = line.find("-ot ");
        return at == std::string::npos ? line : line.substr(at, line.find(' ', at + 4) - at);
    };
    EXPECT_EQ(first({"-ncmoe", "1", "-ot", "exps=CUDA0"}),
              "-ot 'blk\\.0\\.ffn_(up|down|gate|gate_up)_(ch|)exps=CPU'");
    EXPECT_EQ(first({"-ot", "exps=CUDA0", "-ncmoe", "1"}), "-ot 'exps=CUDA0'");
    EXPECT_EQ(first({"-cmoe", "-ot", "exps=CUDA0"}), "-ot '\\.ffn_(up|down|gate|gate_up)_(ch|)exps=CPU'");
    EXPECT_EQ(first({"--like", "llama-bench", "-cmoe", "-ot", "exps=CUDA0"}), "-ot 'exps=CUDA0'");
}

TEST(Spellings, SwitchesWithoutEffectOnThePlacementAreLeftOut) {
    EXPECT_EQ(switches({"-t", "8", "-cb", "--temp", "0.8", "--host", "0.0.0.0", "--port=8080", "--jinja",
                        "-c", "512", "-fa", "true", "--no-webui"}),
              "-ngl all -c 512 -b 2048 -ub 512 -fa on -np 4 -kvu");
    EXPECT_EQ(splitscope({"plan", "-m", sample_model(), "--no-such-switch"}).exit_code, 2);
}

/// They were taken for the file of the window.
TEST(Spellings, UnexpectedWordsAreRefused) {
    for (const Words& given :
         {Words{"plan", "-m", sample_model(), "-fa", "maybe"},
          Words{"plan", sample_model(), "-c", "512", "1024"}, Words{"inspect", sample_model(), "more"}}) {
        const Outcome refused = splitscope(given);
        EXPECT_EQ(refused.exit_code, 2) << given.back();
        EXPECT_NE(refused.err.find("not expected: " + given.back()), std::string::npos) << refused.err;
    }
}

TEST(Spellings, CachesThatCannotBeAreRefusedAlike) {
    for (const char* type : {"mxfp4", "i32"}) {
        const Words given = {"-m", sample_model(), "-ctk", type, "-p", "Hi", "-n", "1"};
        const Outcome planned = splitscope(Words{"plan"} + given);
        const Outcome run = splitscope(Words{"run"} + given);
        EXPECT_EQ(planned.exit_code, 1) << type;
        EXPECT_EQ(run.exit_code, 1) << type;
        EXPECT_EQ(splitscope({"bench", "-m", sample_model(), "-ctk", type}).exit_code, 1) << type;
        const std::string_view start = "Cannot run: ";
        const std::size_t at = planned.out.find(start);
        ASSERT_NE(at, std::string::npos) << planned.out;
        std::string reason = planned.out.substr(at + start.size());
        reason.resize(reason.find(".\n"));
        EXPECT_NE(run.err.find("The model cannot run with these caches: " + reason), std::string::npos)
            << run.err << "\nnot: " << reason;
        EXPECT_NE(run.err.find("choose other cache types"), std::string::npos) << run.err;
    }
}

TEST(Spellings, DefaultsFollowTheProgram) {
    // The sample's training context is 256 tokens.
    EXPECT_EQ(switches({}), "-ngl all -c 256 -b 2048 -ub 512 -fa auto -np 4 -kvu");
    EXPECT_EQ(switches({"--like", "llama-cli"}), "-ngl all -c 256 -b 2048 -ub 512 -fa auto -np 1");
    EXPECT_EQ(switches({"--like", "llama-bench"}), "-ngl all -c 512 -b 2048 -ub 512 -fa auto -np 1");
    EXPECT_EQ(switches({"--like", "llama-bench", "-p", "64", "-n", "1024"}),
              "-ngl all -c 1024 -b 2048 -ub 512 -fa auto -np 1");
    EXPECT_EQ(switches({"--generation", "2025-06"}), "-ngl 0 -c 4096 -b 2048 -ub 512 -fa off -np 1");
    EXPECT_EQ(switches({"--generation", "2025-06", "-c", "0"}),
              "-ngl 0 -c 256 -b 2048 -ub 512 -fa off -np 1");
    EXPECT_EQ(switches({"--generation", "2024-10"}), "-ngl 0 -c 256 -b 2048 -ub 512 -fa off -np 2 -kvu");
    EXPECT_EQ(switches({"--generation", "2024-10", "--like", "llama-bench"}),
              "-ngl 99 -c 512 -b 2048 -ub 512 -fa off -np 1");
    const nlohmann::json said = plan({"--like", "llama-cli"});
    EXPECT_EQ(said["like"], "llama-cli");
    EXPECT_EQ(said["generation"], "2026-08");
}

TEST(Spellings, PlanNamesItsDefaults) {
    const Outcome outcome = splitscope({"plan", sample_model(), "-d", "rtx-3090"});
    EXPECT_NE(outcome.out.find("As llama-server of 2026-08: -ngl all"), std::string::npos) << outcome.out;
}

TEST(Spellings, ServerReservesOutputsOfItsSlotsOnly) {
    const Words devices = {"-d", "rtx-3090", "-c", "512"};
    const auto largest = [&](const char* program) {
        return plan(devices + Words{"--like", program})["prompt"]["compute"][0]["compute_bytes"]
            .get<std::int64_t>();
    };
    EXPECT_LT(largest("llama-server"), largest("llama-bench")) << "logits of 4 tokens, not of 512";
}

TEST(Spellings, AppearInHelpManualAndCompletions) {
    EXPECT_NE(splitscope({"plan", "--help"}).out.find("-ngl,--gpu-layers"), std::string::npos);
    EXPECT_NE(splitscope({"manual"}).out.find("\\-ctk"), std::string::npos);
    EXPECT_NE(splitscope({"completions", "bash"}).out.find(" -ngl "), std::string::npos);
    EXPECT_NE(splitscope({"completions", "zsh"}).out.find("'-ngl["), std::string::npos);
    EXPECT_NE(splitscope({"completions", "fish"}).out.find(" -o ngl"), std::string::npos);
}

}  // namespace
}  // namespace splitscope::test
