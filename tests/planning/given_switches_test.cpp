// SPDX-License-Identifier: MIT
#include "engine/planning/given_switches.hpp"

#include <gtest/gtest.h>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/shell_words.hpp"

namespace splitscope {
namespace {

Session session_on_two_devices() {
    Session session = default_session(open_file(sample_model_path()));
    use_presets(session, {"rtx-3060", "rtx-3090"});
    use_defaults(session, Program::llama_server);
    return session;
}

TEST(GivenSwitches, SplitsALineLikeAShell) {
    EXPECT_EQ(shell_words("  a 'b c' \"d 'e'\" f\\ g '' -ot 'x=CPU,y.*=CUDA0'\\\n h"),
              (std::vector<std::string>{"a", "b c", "d 'e'", "f g", "", "-ot", "x=CPU,y.*=CUDA0", "h"}));
    EXPECT_EQ(shell_words("'never closed"), (std::vector<std::string>{"never closed"}));
    EXPECT_TRUE(shell_words(" \t\r\n").empty());
}

TEST(ShellWords, QuoteWhatShellsInterpret) {
    EXPECT_EQ(shell_quoted("CUDA0,Vulkan0"), "CUDA0,Vulkan0");
    EXPECT_EQ(shell_quoted("a b"), "'a b'");
    EXPECT_EQ(shell_quoted("it's"), R"('it'\''s')");
    for (const std::string word : {"", "a b", "it's", "'", "$(x)", "a\\b", "\"", "*", "~", "\n"})
        EXPECT_EQ(shell_words(shell_quoted(word)), std::vector<std::string>{word}) << word;
}

TEST(GivenSwitches, SurviveARoundTrip) {
    Session session = session_on_two_devices();
    ModelOptions& options = session.model_options;
    for (const bool on : {false, true}) {
        options.gpu_layers = on ? 3 : GpuLayers::all();
        options.context = on ? 768 : 512;
        options.logical_batch = on ? 256 : 2048;
        options.batch = on ? 64 : 512;
        options.flash_attention = on;
        options.flash_attention_if_supported = false;
        options.cache_type = on ? ElementType::q8_0 : ElementType::f16;
        options.cache_type_v = on ? ElementType::f32 : ElementType::f16;
        options.sequences = on ? 3 : 1;
        options.unified_cache = on;
        options.full_window_cache = on;
        options.split_mode = on ? SplitMode::none : SplitMode::layer;
        options.main_gpu = on ? 1 : 0;
        options.tensor_split = on ? std::vector<float>{1, 2.5} : std::vector<float>{};
        options.overrides.clear();
        if (on)
            options.overrides = {{"ffn_(up|gate)", "CPU", "--override-tensor"},
                                 {"x'; rm -rf $HOME; '\"\\\\", "CPU", "--override-tensor"}};
        options.accelerators = on ? std::vector<std::string>{"CUDA1"} : std::vector<std::string>{};
        options.main_gpu = 0;
        options.kv_offload = options.memory_map = options.repack = options.pinned_host = !on;
        session.machine.op_offload = !on;
        const std::string line = switches_of(session);
        Session again = session_on_two_devices();
        apply_switches(again, parse_switches(line));
        EXPECT_EQ(placement_flags(again), placement_flags(session)) << line;
        EXPECT_EQ(switches_of(again), line);
    }
}

TEST(GivenSwitches, DifferBetweenTwoSessions) {
    const Session a = session_on_two_devices();
    EXPECT_EQ(different_switches(a, a).a, "");
    EXPECT_EQ(different_switches(a, a).b, "");
    Session b = a;
    b.model_options.context = 768;
    b.model_options.overrides = {{"ffn_(up|gate)", "CPU", "--override-tensor"}};
    Session c = a;
    c.model_options.context = 512;
    EXPECT_EQ(different_switches(c, b).a, "-c 512");
    EXPECT_EQ(different_switches(c, b).b, "-c 768 -ot 'ffn_(up|gate)=CPU'");
}

TEST(GivenSwitches, WriteEveryProgramsDefaults) {
    for (const Program program : kPrograms) {
        Session session = session_on_two_devices();
        apply_switches(session, parse_switches(std::string("/usr/bin/") + std::string(name_of(program))));
        EXPECT_EQ(program_with_defaults(session), program);
        Session usual = session_on_two_devices();
        use_defaults(usual, program);
        EXPECT_EQ(session.model_options, usual.model_options);
    }
    Session own = session_on_two_devices();
    own.model_options.batch = 7;
    EXPECT_EQ(program_with_defaults(own), std::nullopt);
}

TEST(GivenSwitches, NameSwitchesWithoutEffectOnPlacement) {
    const PastedSwitches pasted =
        parse_switches("llama-cli -m model.gguf -p 'Hello -ngl 3' -fa --temp 0.5 -ngl=2 -dev none -nkvo");
    EXPECT_EQ(pasted.program, Program::llama_cli);
    EXPECT_EQ(pasted.ignored, (std::vector<std::string>{"-m", "-p", "--temp"}));
    EXPECT_EQ(pasted.given.gpu_layers, "2");
    EXPECT_EQ(pasted.given.flash_attention, "on");
    EXPECT_EQ(pasted.given.kv_offload, false);
    EXPECT_EQ(pasted.accelerators, (std::vector<std::string>{"none"}));
    const PastedSwitches files = parse_switches(
        "llama-server -hf a/b -md d.gguf -ngld 9 --lora-scaled a.gguf 0.5 -s -1 --grammar -x -ctxcp 8 -c "
        "512");
    EXPECT_EQ(files.ignored, (std::vector<std::string>{"-hf", "--model-draft", "--gpu-layers-draft", "--lora",
                                                       "-s", "--grammar", "-ctxcp"}));
    EXPECT_EQ(files.given.context, 512U);
}

TEST(GivenSwitches, LastLoadModeApplies) {
    const auto mapped = [](const std::string& line) {
        Session session = session_on_two_devices();
        apply_switches(session, parse_switches(line));
        return session.model_options.memory_map;
    };
    EXPECT_TRUE(mapped(""));
    EXPECT_FALSE(mapped("--mlock"));
    EXPECT_FALSE(mapped("-lm mmap -dio"));
    EXPECT_TRUE(mapped("-dio --mmap"));
    EXPECT_FALSE(mapped("-lm mmap --no-mmap"));
    EXPECT_TRUE(mapped("--no-mmap -lm mmap"));
}

/// llama.cpp has one list in the order of the command line, where the first match wins.
TEST(GivenSwitches, KeepTheOrderOfExpertsAndRules) {
    const auto rules = [](const std::string& line) {
        Session session = session_on_two_devices();
        apply_switches(session, parse_switches(line));
        std::vector<std::string> out;
        for (const OverrideRule& rule : placement_flags(session).overrides)
            out.push_back(rule.pattern.substr(0, 6) + "=" + rule.target);
        // Writing and reading again keeps it.
        Session again = session_on_two_devices();
        apply_switches(again, parse_switches(switches_of(session)));
        std::vector<std::string> read;
        for (const OverrideRule& rule : placement_flags(again).overrides)
            read.push_back(rule.pattern.substr(0, 6) + "=" + rule.target);
        EXPECT_EQ(read, out) << line;
        return out;
    };
    using Rules = std::vector<std::string>;
    const std::string block0 = "blk\\.0=CPU";
    const std::string block1 = "blk\\.1=CPU";
    const std::string all = "\\.ffn_=CPU";
    EXPECT_EQ(rules("-ot exps=CUDA0 -ncmoe 2"), (Rules{"exps=CUDA0", block0, block1}));
    EXPECT_EQ(rules("-ncmoe 2 -ot exps=CUDA0"), (Rules{block0, block1, "exps=CUDA0"}));
    EXPECT_EQ(rules("-cmoe -ot exps=CUDA0"), (Rules{all, "exps=CUDA0"}));
    EXPECT_EQ(rules("-ot a=CPU -ncmoe 1 -ot exps=CUDA0,b=CUDA1 -cmoe"),
              (Rules{"a=CPU", block0, "exps=CUDA0", "b=CUDA1", all}));
    EXPECT_EQ(rules("-ncmoe 2 -ncmoe 1"), (Rules{block0, block1})) << "both apply";
    EXPECT_EQ(rules("llama-bench -ncmoe 1 -ot exps=CUDA0"), (Rules{"exps=CUDA0", block0}));
}

TEST(GivenSwitches, WriteExpertsInTheirShortForm) {
    const auto written = [](const std::string& line, Generation generation = Generation::g2026_08) {
        Session session = session_on_two_devices();
        session.generation = generation;
        apply_switches(session, parse_switches(line));
        std::string out = switches_of(session);
        return out.substr(std::min(out.find("-kvu") + 5, out.size()));
    };
    EXPECT_EQ(written("-ncmoe 12"), "-ncmoe 12");
    EXPECT_EQ(written("-cmoe"), "-cmoe");
    EXPECT_EQ(written("-cmoe -ncmoe 3"), "-cmoe -ncmoe 3");
    EXPECT_EQ(written("-ot exps=CUDA0 -ncmoe 2 -nkvo"), "-ot 'exps=CUDA0' -ncmoe 2 -nkvo");
    // The first match wins, and llama-bench appends the short forms to the rules.
    EXPECT_TRUE(written("-ncmoe 1 -ot exps=CUDA0").starts_with("-ot 'blk")) << written("-ncmoe 1 -ot a=CPU");
    EXPECT_EQ(written("-ncmoe 2", Generation::g2025_06).find("-ncmoe"), std::string::npos)
        << "programs of 2025-06 do not know it";
}

TEST(GivenSwitches, KeepExpertsThatFollowTheRulesAsOptions) {
    Session session = session_on_two_devices();
    apply_switches(session, parse_switches("-ot exps=CUDA0 -ncmoe 2"));
    EXPECT_EQ(session.model_options.cpu_expert_blocks, 2U);
    EXPECT_EQ(session.model_options.overrides.size(), 1U);
    apply_switches(session, parse_switches("-ncmoe 2 -ot exps=CUDA0"));
    EXPECT_EQ(session.model_options.cpu_expert_blocks, 0U);
    EXPECT_EQ(session.model_options.overrides.size(), 3U);
}

/// Until December 2025, -1 was the default of -ngl, and there were no words.
TEST(GivenSwitches, LayersOfOlderProgramsAreNumbers) {
    const auto layers = [](Generation generation, const std::string& line, bool metal = false) {
        Session session = session_on_two_devices();
        if (metal) use_presets(session, {"m2-ultra"});
        session.generation = generation;
        apply_switches(session, parse_switches(line));
        return session.model_options.gpu_layers;
    };
    for (const Generation old : {Generation::g2024_10, Generation::g2025_06}) {
        EXPECT_EQ(layers(old, "-ngl -1"), 0);
        EXPECT_EQ(layers(old, "-ngl -2"), 0);
        EXPECT_EQ(layers(old, "-ngl 99"), 99);
        EXPECT_EQ(layers(old, "-ngl -1", true), GpuLayers::all()) << "Metal";
        EXPECT_EQ(layers(old, "-ngl -2", true), 0);
        EXPECT_EQ(layers(old, "llama-bench -ngl -1"), 0);
        EXPECT_EQ(layers(old, "llama-bench"), 99);
        for (const char* word : {"-ngl all", "-ngl auto"}) {
            EXPECT_THROW(layers(old, word), Error) << word;
        }
    }
    for (const char* text : {"-ngl -1", "-ngl -2", "-ngl all", "-ngl auto"})
        EXPECT_EQ(layers(Generation::g2026_08, text), GpuLayers::all()) << text;
    // What is written can be read.
    Session session = session_on_two_devices();
    session.generation = Generation::g2025_06;
    session.model_options.gpu_layers = GpuLayers::all();
    const std::string line = switches_of(session);
    EXPECT_TRUE(line.starts_with("-ngl 999 ")) << line;
    EXPECT_NO_THROW(apply_switches(session, parse_switches(line)));
}

TEST(GivenSwitches, RefuseInvalidValuesByName) {
    const auto refused = [](const std::string& line) {
        Session session = session_on_two_devices();
        try {
            apply_switches(session, parse_switches(line));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_NE(refused("-ngl many").find("'many' is not a number of layers"), std::string::npos);
    EXPECT_NE(refused("-ub 0").find("'0' is not a valid number"), std::string::npos);
    EXPECT_NE(refused("-c").find("-c has no value"), std::string::npos) << refused("-c");
    EXPECT_NE(refused("-sm diagonal").find("'diagonal' is not a valid value"), std::string::npos);
    std::string shares = "-ts 1";
    for (int i = 1; i < 15; ++i) shares += ",1";
    EXPECT_EQ(refused(shares), "taken");
    EXPECT_NE(refused(shares + "/1").find("llama.cpp refuses 16 shares"), std::string::npos);
    EXPECT_EQ(refused("llama-bench " + shares + "/1"), "taken");
    EXPECT_NE(refused("llama-bench " + shares + "/1/1").find("17 shares"), std::string::npos);
    Session oldest = session_on_two_devices();
    oldest.generation = Generation::g2024_01;
    EXPECT_NO_THROW(apply_switches(oldest, parse_switches(shares + "/1")));
    EXPECT_NE(refused("-ts 1,x").find("'x' is not a share"), std::string::npos);
    EXPECT_NE(refused("-ctk q9").find("there is no element type 'q9'"), std::string::npos);
    EXPECT_NE(refused("-ngl20").find("-ngl20: there is no such switch — did you mean -ngl 20?"),
              std::string::npos)
        << refused("-ngl20");
    EXPECT_NE(refused("-nkv").find("did you mean -nkvo?"), std::string::npos);
    EXPECT_NE(refused("--backend-sampling").find("cannot be planned"), std::string::npos);
    EXPECT_NE(refused("--pooling max").find("'max'"), std::string::npos);
    EXPECT_NE(refused("-np 0").find("'0' is not a valid number"), std::string::npos);
    EXPECT_NE(refused("-ts ''").find("has no value"), std::string::npos);
    EXPECT_NE(refused("-ngl=").find("has no value"), std::string::npos);
    EXPECT_NE(refused("-ot nonsense").find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace splitscope
