// SPDX-License-Identifier: MIT
// llama.cpp's spellings, the same in every command, and the defaults of its programs.
#include <filesystem>

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
    EXPECT_NE(fixed.err.find("remove it"), std::string::npos) << fixed.err;
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

TEST(Spellings, KeepsTheOrderOfExpertsAndRules) {
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
    // Each of several keeps its value.
    const Words devices = {"-d", "rtx-3090", "-c", "512"};
    const std::string twice = switches(devices + Words{"-ncmoe", "1", "-ot", "exps=CUDA0", "-ncmoe", "3"});
    EXPECT_LT(twice.find("blk\\.0\\."), twice.find("exps=CUDA0")) << twice;
    EXPECT_GT(twice.find("blk\\.1\\."), twice.find("exps=CUDA0")) << twice;
    EXPECT_EQ(switches(devices + Words{"-ncmoe", "4", "-ncmoe", "2"}),
              switches(devices + Words{"-ncmoe", "4"}));
}

TEST(Spellings, SwitchesWithoutEffectOnThePlacementAreLeftOut) {
    EXPECT_EQ(switches({"-t", "8", "-cb", "--temp", "0.8", "--host", "0.0.0.0", "--port=8080", "--jinja",
                        "-c", "512", "-fa", "true", "--no-webui"}),
              "-ngl all -c 512 -b 2048 -ub 512 -fa on -np 4 -kvu");
    EXPECT_EQ(
        switches({"--numa", "isolate", "--rope-scaling", "yarn", "--rope_freq_base", "10000", "--no-mmproj",
                  "--mmproj-offload", "-ctxcp", "8", "-fitp", "on", "--yarn-orig-ctx", "4096", "-e"}),
        switches({}));
    EXPECT_EQ(splitscope({"plan", "-m", sample_model(), "--no-such-switch"}).exit_code, 2);
}

/// The parser read "-ngl20" as "-n gl20", which is ignored.
TEST(Spellings, UnknownSwitchesAreRefusedByName) {
    const auto refused = [](const Words& given) {
        const Outcome outcome = splitscope(given);
        EXPECT_EQ(outcome.exit_code, 2) << given.back();
        return outcome.err;
    };
    struct Misspelt {
        const char* word;
        const char* meant;
    };
    for (const auto& [word, meant] :
         {Misspelt{"-ngl20", "-ngl 20"}, Misspelt{"-np2", "-np 2"}, Misspelt{"-nkv", "-nkvo"},
          Misspelt{"-no-mmap", "--no-mmap"}, Misspelt{"-nopoo", "-nopo"}, Misspelt{"-ncmoe10", "-ncmoe 10"},
          Misspelt{"-n-gpu-layers=5", "--gpu-layers"}, Misspelt{"-nlg", "-ngl"},
          Misspelt{"-cramm", "-cram"}}) {
        for (const char* command : {"plan", "suggest", "lint", "schedule", "report"}) {
            const std::string err = refused({command, "-m", sample_model(), word, "5"});
            const std::string name = std::string(word).substr(0, std::string(word).find('='));
            EXPECT_NE(err.find(name + ": there is no such switch"), std::string::npos) << err;
            EXPECT_NE(err.find("did you mean " + std::string(meant) + "? See splitscope " + command),
                      std::string::npos)
                << err;
        }
    }
    for (const char* command : {"run", "bench"})
        EXPECT_NE(refused({command, "-m", sample_model(), "-ngl20"}).find("did you mean -ngl 20?"),
                  std::string::npos);
    EXPECT_EQ(switches({"-c512", "-ngl", "-1", "-mg", "0"}), switches({"-c", "512"})) << "values";
}

TEST(Spellings, OneLetterOptionsTakeAttachedValues) {
    const TemporaryFolder folder;
    const std::filesystem::path report = folder.path() / "report.md";
    const Outcome written =
        splitscope({"report", "-m" + sample_model(), "-drtx-3090", "-o" + report.string(), "--format", "md"});
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_TRUE(std::filesystem::exists(report));
    const Outcome nowhere = splitscope({"report", sample_model(), "-omissing-folder/report.html"});
    EXPECT_NE(nowhere.err.find("missing-folder/report.html"), std::string::npos) << nowhere.err;
    EXPECT_EQ(nowhere.err.find("no such switch"), std::string::npos) << nowhere.err;
    const std::string file = std::filesystem::path(sample_model()).filename().string();
    const Outcome named = splitscope({"plan", "-m" + file + ".missing"});
    EXPECT_NE(named.err.find(file + ".missing"), std::string::npos) << named.err;
    EXPECT_EQ(named.err.find("no such switch"), std::string::npos) << named.err;
    const Outcome misspelt = splitscope({"plan", "-m", sample_model(), "-mg0"});
    EXPECT_NE(misspelt.err.find("did you mean -mg 0?"), std::string::npos) << misspelt.err;
}

TEST(Spellings, SwitchesThatCannotBePlannedAreRefusedWithAReason) {
    const auto refused = [](const Words& given) {
        const Outcome outcome = splitscope(Words{"plan", "-m", sample_model()} + given);
        EXPECT_EQ(outcome.exit_code, 2) << given.front();
        EXPECT_NE(outcome.err.find(given.front() + ": "), std::string::npos) << outcome.err;
        return outcome.err;
    };
    for (const Words& given : {Words{"-bs"}, Words{"--control-vector", "x.gguf"}})
        EXPECT_NE(refused(given).find("such graphs cannot be planned"), std::string::npos);
    EXPECT_NE(refused({"--override-kv", "a=int:1"}).find("metadata"), std::string::npos);
    EXPECT_NE(refused({"--spec-type", "draft-mtp"}).find("draft models of this kind"), std::string::npos);
    EXPECT_NE(refused({"-hf", "someone/model"}).find("download"), std::string::npos);
    EXPECT_EQ(switches({"--spec-type", "ngram-mod,draft-simple"}), switches({}));
}

TEST(Spellings, EmbeddingsOfGenerativeModels) {
    const std::string usual = switches({});
    EXPECT_EQ(switches({"--embedding"}), usual + " --embeddings");
    EXPECT_EQ(switches({"-embd", "1"}), usual + " --embeddings");
    EXPECT_EQ(switches({"-embd", "0"}), usual);
    EXPECT_EQ(switches({"--embeddings", "--pooling", "mean"}), usual + " --embeddings --pooling mean");
    EXPECT_EQ(switches({"--pooling", "cls", "--rerank"}), usual + " --embeddings --pooling rank");
    EXPECT_EQ(switches({"--reranking", "--pooling", "last"}), usual + " --embeddings --pooling last");
    const Outcome older =
        splitscope({"plan", "-m", sample_model(), "--embeddings", "--generation", "2024-10"});
    EXPECT_NE(older.out.find("embeddings are known for the generation 2026-08 only"), std::string::npos)
        << older.out << older.err;
}

TEST(Spellings, LastOfRepeatedSwitchesApplies) {
    EXPECT_EQ(switches({"-c", "256", "--ctx-size", "512", "-fa", "on", "-fa", "off", "-ngl", "1", "-ngl", "2",
                        "-kvu", "-no-kvu", "-nkvo", "-nkvo"}),
              "-ngl 2 -c 512 -b 2048 -ub 512 -fa off -np 4 -kvu -nkvo");
    EXPECT_EQ(switches({"-np", "2", "-kvu"}), switches({"-np", "2", "-no-kvu", "-kvu"}));
    const nlohmann::json rules = plan({"-ot", "ffn_up=CPU", "-ot", "ffn_gate=CPU"})["overrides"];
    EXPECT_EQ(rules.size(), 2U) << "these are collected";
}

TEST(Spellings, LoadModesHaveDeprecatedNames) {
    const std::string mapped = switches({});
    const std::string read = mapped + " --no-mmap";
    for (const Words& given :
         {Words{"--mlock"}, Words{"-dio"}, Words{"--direct-io"}, Words{"-ndio"}, Words{"-lm", "mlock"},
          Words{"--mmap", "--mlock"}, Words{"-lm", "mmap", "--no-mmap"}, Words{"-mmp", "0"}})
        EXPECT_EQ(switches(given), read) << given.front();
    for (const Words& given : {Words{"--mlock", "--mmap"}, Words{"--no-mmap", "-lm", "mmap+mlock"}})
        EXPECT_EQ(switches(given), mapped) << given.front();
    EXPECT_EQ(switches({"--generation", "2025-06", "--mlock"}), switches({"--generation", "2025-06"}))
        << "it locked mapped weights";
}

TEST(Spellings, EmptyValuesAndNoSequencesAreRefused) {
    for (const char* option : {"-ngl", "-ts", "-ot", "-ctk", "-c", "-mg", "-sm"}) {
        for (const Words& given : {Words{option, ""}, Words{std::string(option) + "="}}) {
            const Outcome outcome = splitscope(Words{"plan", "-m", sample_model()} + given);
            EXPECT_EQ(outcome.exit_code, 2) << option << outcome.out;
            EXPECT_EQ(outcome.out, "");
        }
    }
    const Outcome none = splitscope({"plan", "-m", sample_model(), "-np", "0"});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_NE(none.err.find("give a number from 1 to 256"), std::string::npos) << none.err;
    const Outcome layers = splitscope({"plan", "-m", sample_model(), "-ngl", "many"});
    EXPECT_NE(layers.err.find("'auto'"), std::string::npos) << layers.err;
}

TEST(Spellings, CompanionsAreCountedOrRefused) {
    const Words model = {"-m", sample_model(), "-d", "rtx-3060"};
    const Words draft = {"-md", sample_model(), "-ngld", "all", "--draft-max", "8"};
    const auto on_device = [&](const Words& given) {
        return plan(Words{"-d", "rtx-3060"} + draft + given)["companions"][0]["bytes"][0].get<std::int64_t>();
    };
    EXPECT_GT(on_device({}), 0);
    EXPECT_EQ(on_device({"-devd", "none"}), 0);
    EXPECT_LT(on_device({"-otd", "ffn_up=CPU"}), on_device({}));
    EXPECT_EQ(on_device({"-cmoed", "-ncmoed", "1"}), on_device({})) << "the sample has no experts";
    EXPECT_EQ(splitscope(Words{"lint", "--fail-on", "error"} + model + draft).exit_code, 0);
    const Outcome lacks = splitscope(Words{"lint", "-m", sample_model(), "-d", "rtx-3060:0.003"} + draft);
    EXPECT_NE(lacks.out.find("files beside the model"), std::string::npos) << lacks.out;
    const Outcome schedule = splitscope(Words{"schedule"} + model + draft);
    EXPECT_EQ(schedule.exit_code, 0) << schedule.err;
    EXPECT_NE(schedule.err.find("--model-draft does not change this schedule"), std::string::npos);
    for (const char* command : {"suggest", "report"}) {
        const Outcome refused = splitscope(Words{command} + model + draft);
        EXPECT_EQ(refused.exit_code, 2) << command;
        EXPECT_NE(refused.err.find("--model-draft: "), std::string::npos) << refused.err;
        EXPECT_NE(refused.err.find("'plan'"), std::string::npos) << refused.err;
    }
    for (const char* option : {"--lora", "--lora-scaled"})
        EXPECT_EQ(splitscope(Words{"schedule"} + model + Words{option, "a.gguf:0.5"}).exit_code, 2);
    const Outcome older = splitscope(Words{"plan"} + model + Words{"--lora-scaled", "none.gguf", "0.5"});
    const Outcome newer = splitscope(Words{"plan"} + model + Words{"--lora-scaled", "none.gguf:0.5"});
    EXPECT_EQ(older.err, newer.err);
    EXPECT_NE(older.err.find("none.gguf"), std::string::npos) << older.err;
}

TEST(Spellings, PlanPrintsTheContextOfAllSequences) {
    const auto planned = [](const Words& given) {
        return splitscope(Words{"plan", "-m", sample_model(), "-d", "rtx-3060"} + given).out;
    };
    EXPECT_NE(planned({"-c", "8192", "-np", "4", "-no-kvu"})
                  .find("Context 8192 cells, 2048 for each of 4 sequences, flash"),
              std::string::npos);
    EXPECT_NE(planned({"-c", "8192", "-np", "256"})
                  .find("Context 65536 cells, 256 for each of 256 sequences (more than the 8192 asked for"),
              std::string::npos);
    EXPECT_NE(planned({"-c", "8192"}).find("Context 8192 cells, flash"), std::string::npos);
    const nlohmann::json own = plan({"-c", "8192", "-np", "4", "-no-kvu"});
    EXPECT_EQ(own["context"], 2048);
    EXPECT_EQ(own["context_total"], 8192);
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

TEST(Spellings, ImpossibleCacheTypesGetTheSameError) {
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
        EXPECT_NE(run.err.find("the model cannot run with these caches: " + reason), std::string::npos)
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
    EXPECT_EQ(switches({"--generation", "2024-10"}), "-ngl 0 -c 256 -b 2048 -ub 512 -fa off -np 1");
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
