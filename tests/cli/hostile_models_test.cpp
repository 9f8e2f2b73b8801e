// SPDX-License-Identifier: MIT
// Models that cannot run, or may not: every command reports it.
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "tests/cli/process.hpp"
#include "tests/planning/patched_model.hpp"

namespace splitscope::test {
namespace {

struct Hostile {
    std::string name;
    void (*patch)(PatchedModel& model);
    bool opens = false;  ///< the file can be read: planning answers, with exit code 1
};

std::vector<Hostile> hostile_models() {
    return {
        {"no-heads", [](PatchedModel& m) { m.set("llama.attention.head_count", 0U); }, true},
        {"heads-that-do-not-divide", [](PatchedModel& m) { m.set("llama.attention.head_count_kv", 3U); }},
        {"many-heads", [](PatchedModel& m) { m.set("llama.attention.head_count", 4000000000U); }},
        {"odd-rope", [](PatchedModel& m) { m.set("llama.rope.dimension_count", 31U); }, true},
        {"wide-rope", [](PatchedModel& m) { m.set("llama.rope.dimension_count", 4096U); }},
        {"no-base", [](PatchedModel& m) { m.set("llama.rope.freq_base", 0.0F); }, true},
        {"negative-base", [](PatchedModel& m) { m.set("llama.rope.freq_base", -1.0F); }, true},
        {"nan-epsilon",
         [](PatchedModel& m) {
             m.set("llama.attention.layer_norm_rms_epsilon", std::numeric_limits<float>::quiet_NaN());
         },
         true},
        {"endless-epsilon",
         [](PatchedModel& m) {
             m.set("llama.attention.layer_norm_rms_epsilon", std::numeric_limits<float>::infinity());
         },
         true},
        {"no-blocks", [](PatchedModel& m) { m.set("llama.block_count", 0U); }},
        {"more-blocks", [](PatchedModel& m) { m.set("llama.block_count", 3U); }},
        {"endless-blocks", [](PatchedModel& m) { m.set("llama.block_count", 4000000000U); }},
        {"no-width", [](PatchedModel& m) { m.set("llama.embedding_length", 0U); }},
        {"other-width", [](PatchedModel& m) { m.set("llama.embedding_length", 128U); }},
        {"missing", [](PatchedModel& m) { m.replace("blk.1.ffn_up.weight", "blk.1.ffn_uq.weight"); }, true},
        {"missing-embeddings", [](PatchedModel& m) { m.replace("token_embd.weight", "token_embq.weight"); }},
        {"missing-norm", [](PatchedModel& m) { m.replace("output_norm.weight", "output_nrom.weight"); }},
        {"turned",
         [](PatchedModel& m) {
             m.set_extent("blk.1.ffn_up.weight", 0, 32).set_extent("blk.1.ffn_up.weight", 1, 128);
         },
         true},
        {"overlapping", [](PatchedModel& m) { m.set_offset("blk.1.attn_q.weight", 64); }, true},
        {"unknown", [](PatchedModel& m) { m.replace("llama", "lbama"); }, true},
    };
}

class HostileModels : public ::testing::TestWithParam<Hostile> {
 protected:
    TemporaryFolder folder;
};

TEST_P(HostileModels, EveryCommandRefusesThem) {
    PatchedModel model;
    GetParam().patch(model);
    const std::string file = folder.file(GetParam().name + ".gguf", model.bytes());
    const std::string report = (folder.path() / "report.html").string();
    const std::vector<std::vector<std::string>> commands = {
        {"plan", file, "--device", "rtx-3090"},
        {"plan", file, "--device", "rtx-3090", "--json"},
        {"lint", file, "--device", "rtx-3090"},
        {"suggest", file, "--device", "rtx-3090"},
        {"inspect", file},
        {"schedule", file},
        {"schedule", file, "--json"},
        {"report", file, "--device", "rtx-3090", "-o", report},
        {"run", file, "--prompt", "a", "--tokens", "1"},
        {"bench", file, "--tokens", "1", "--repeat", "1"},
    };
    for (const auto& arguments : commands) {
        const Outcome outcome = splitscope(arguments);
        SCOPED_TRACE(arguments[0] + " of " + GetParam().name + ":\n" + outcome.out.substr(0, 600) +
                     outcome.err);
        EXPECT_NE(outcome.exit_code, 0);
        EXPECT_LE(outcome.exit_code, 2) << "ended by itself";
        const bool plans = arguments[0] == "plan" || arguments[0] == "lint" || arguments[0] == "suggest";
        if (plans && GetParam().opens) {
            EXPECT_EQ(outcome.exit_code, 1);
        }
        EXPECT_EQ(outcome.out.find("Fits."), std::string::npos);
        EXPECT_EQ(outcome.out.find("\"kind\": \"fits\""), std::string::npos);
    }
}

std::string name_of_model(const ::testing::TestParamInfo<Hostile>& info) {
    std::string name = info.param.name;
    for (char& c : name) c = c == '-' ? '_' : c;
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, HostileModels, ::testing::ValuesIn(hostile_models()), name_of_model);

TEST(DevicesOfUnknownMemory, MakeTheVerdictUnknown) {
    const TemporaryFolder folder;
    const std::string model = folder.file("good.gguf", PatchedModel().bytes());
    EXPECT_EQ(splitscope({"plan", model, "--device", "rtx-3090"}).exit_code, 0);
    const std::string machine =
        folder.file("m.machine.json", R"({"format":"splitscope-machine","version":1,"name":"m",
"buffer_types":[{"name":"X0","alignment":128,"max_size":null,"is_host":false},
{"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],
"backends":[{"name":"X0","device":"gpu","buffer_type":"X0","supports_buffer_types":["X0"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":32,"async":true,"events":true},
{"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],
"scheduler":{"parallel":false,"op_offload":true},"assignments":[]})");
    // A search needs the figures, and says so.
    EXPECT_EQ(splitscope({"suggest", model, "--machine", machine}).exit_code, 2);
    for (const char* command : {"plan", "lint"}) {
        const Outcome outcome = splitscope({command, model, "--machine", machine});
        EXPECT_EQ(outcome.exit_code, 1) << command << ": " << outcome.out << outcome.err;
        EXPECT_NE((outcome.out + outcome.err).find("not known"), std::string::npos)
            << command << ": " << outcome.out << outcome.err;
    }
    const std::string page = folder.path() / "page.html";
    EXPECT_EQ(splitscope({"report", model, "--machine", machine, "-o", page}).exit_code, 1);
    EXPECT_EQ(splitscope({"report", model, "-o", page}).exit_code, 0);
}

}  // namespace
}  // namespace splitscope::test
