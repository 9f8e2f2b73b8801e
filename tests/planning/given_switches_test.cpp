// SPDX-License-Identifier: MIT
#include "engine/planning/given_switches.hpp"

#include <gtest/gtest.h>

#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/spellings.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"

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
        if (on) options.overrides = {{"ffn_(up|gate)", "CPU", "--override-tensor"}};
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

TEST(GivenSwitches, TheLastLoadModeApplies) {
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
    EXPECT_NE(refused("-ts 1,x").find("'x' is not a share"), std::string::npos);
    EXPECT_NE(refused("-ctk q9").find("there is no element type 'q9'"), std::string::npos);
    EXPECT_NE(refused("-ngl20").find("-ngl20: there is no such switch — did you mean -ngl 20?"),
              std::string::npos)
        << refused("-ngl20");
    EXPECT_NE(refused("-nkv").find("did you mean -nkvo?"), std::string::npos);
    EXPECT_NE(refused("--embeddings").find("not planned"), std::string::npos);
    EXPECT_NE(refused("-np 0").find("'0' is not a valid number"), std::string::npos);
    EXPECT_NE(refused("-ts ''").find("has no value"), std::string::npos);
    EXPECT_NE(refused("-ngl=").find("has no value"), std::string::npos);
    EXPECT_NE(refused("-ot nonsense").find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace splitscope
