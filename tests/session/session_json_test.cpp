// SPDX-License-Identifier: MIT
#include "engine/session/session_json.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/session/session_notes.hpp"
#include "engine/support/error.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/session/sample_session.hpp"

namespace splitscope {
namespace {

std::filesystem::path folder() {
    return sample_model_path().parent_path();
}

std::string schema_problem(const std::string& text) {
    return test::schema_problem(test::schema_named("session"), nlohmann::json::parse(text));
}

std::string refusal(const nlohmann::ordered_json& document) {
    try {
        parse_session_json(document.dump(), folder(), "test.splitscope.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(SessionJson, RoundTripIsByteStable) {
    Session session = testing::sample_session();
    session.generation = Generation::g2025_06;
    session.model_options = {GraphKind::prefill, 512, 64, 2, true, ElementType::q8_0};
    const std::string text = write_session_json(session, folder());
    EXPECT_TRUE(is_session_json(text));
    const Session again = parse_session_json(text, folder(), "test");
    EXPECT_EQ(again.model_options, session.model_options);
    EXPECT_EQ(again.generation, session.generation);
    EXPECT_EQ(again.machine, session.machine);
    EXPECT_EQ(write_session_json(again, folder()), text);
}

TEST(SessionJson, KeepsPlacementSwitchesAndDevices) {
    Session session = testing::sample_session();
    ModelOptions& options = session.model_options;
    options.sequences = 4;
    options.unified_cache = true;
    options.results_per_sequence = 1;
    options.full_window_cache = true;
    options.embeddings = true;
    options.pooling = Pooling::mean;
    options.repack = false;
    options.pinned_host = false;
    options.accelerators = {"CUDA0"};
    options.gpu_layers = GpuLayers::all();
    options.cache_type_v = ElementType::q4_0;
    options.flash_attention_if_supported = true;
    options.logical_batch = 100;
    options.split_mode = SplitMode::row;
    options.main_gpu = 1;
    options.tensor_split = {3, 1.5F};
    options.overrides = parse_overrides("ffn_.*=CPU,attn=GPU0");
    options.cpu_experts = true;
    options.cpu_expert_blocks = 3;
    options.kv_offload = false;
    options.memory_map = false;
    session.devices["GPU0"] = {"rtx-3090", "RTX 3090", 24, 23, 936e9, 31.5e9, 71e12, 35.6e12};
    const std::string text = write_session_json(session, folder());
    const Session again = parse_session_json(text, folder(), "test");
    EXPECT_EQ(again.model_options, session.model_options);
    EXPECT_EQ(again.devices, session.devices);
    EXPECT_EQ(write_session_json(again, folder()), text);
}

TEST(SessionJson, FollowsItsSchema) {
    Session session = testing::sample_session();
    EXPECT_EQ(schema_problem(write_session_json(session, folder())), "");
    ModelOptions& options = session.model_options;
    options.cache_type = ElementType::q8_0;
    options.sequences = 4;
    options.unified_cache = true;
    options.results_per_sequence = 1;
    options.full_window_cache = true;
    options.embeddings = true;
    options.pooling = Pooling::mean;
    options.repack = false;
    options.pinned_host = false;
    options.accelerators = {"CUDA0"};
    options.cache_type_v = ElementType::q4_0;
    options.flash_attention_if_supported = true;
    options.logical_batch = 100;
    options.split_mode = SplitMode::none;
    options.main_gpu = 1;
    options.tensor_split = {3, 1.5F};
    options.overrides = parse_overrides("ffn_.*=CPU");
    options.cpu_experts = true;
    options.cpu_expert_blocks = 3;
    options.kv_offload = false;
    options.memory_map = false;
    session.devices["GPU0"] = {"rtx-3090", "RTX 3090", 24, 23, 936e9, 31.5e9, 71e12, 35.6e12};
    SavedSession saved{session, {}, {}};
    saved.breakpoints = {{1, BreakpointKind::glob, "ffn_*"}, {2, BreakpointKind::not_finite, ""}};
    saved.breakpoints[0].computation = 3;
    saved.breakpoints[0].split = 1;
    saved.breakpoints[0].ignored = 2;
    saved.breakpoints[0].outside.emplace(-1.5, 2e9);
    saved.notes.bookmarks = {{"ffn_out-0", "large"}};
    saved.notes.stops = {{StopKind::cause, "3.upg", true}};
    const std::string text = write_session_json(saved, folder());
    EXPECT_EQ(schema_problem(text), "") << text;
    const SavedSession read = parse_saved_session_json(text, folder(), "test");
    ASSERT_EQ(read.breakpoints.size(), 2U);
    EXPECT_EQ(read.breakpoints[0].computation, 3U);
    EXPECT_EQ(read.breakpoints[0].split, 1U);
    EXPECT_EQ(read.breakpoints[0].ignored, 2U);
    EXPECT_EQ(read.breakpoints[0].outside, saved.breakpoints[0].outside);
    // All keys of the schema are present, so a key added without a test fails.
    const auto schema = test::schema_named("session");
    const auto document = nlohmann::json::parse(text);
    for (const char* part : {"/properties", "/properties/model/properties"}) {
        const auto& properties = schema.at(nlohmann::json::json_pointer(part));
        const auto& written = part == std::string("/properties") ? document : document["model"];
        for (const auto& [key, ignored] : properties.items())
            EXPECT_TRUE(written.contains(key) || key == "graph_number") << key;
    }
}

TEST(SessionJson, RefusesUnknownMembers) {
    const std::string text = write_session_json(testing::sample_session(), folder());
    const auto refusal = [&](const std::string& from, const std::string& to) {
        std::string changed = text;
        const std::size_t at = changed.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        try {
            parse_session_json(changed.replace(at, from.size(), to), folder(), "test");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refusal("\"generation\":", "\"graph_nummer\": 1, \"generation\":"),
              "test: /graph_nummer: unknown member \"graph_nummer\" — did you mean \"graph_number\"?");
    EXPECT_EQ(refusal("\"context\":", "\"sequence\": 1, \"context\":"),
              "test: /model/sequence: unknown member \"sequence\" — did you mean \"sequences\"?");
    EXPECT_EQ(refusal("\"unsupported_ops\":", "\"unsuported\": [], \"unsupported_ops\":"),
              "test: /machine: /backends/0/unsuported: unknown member \"unsuported\" — "
              "did you mean \"unsupported\"?");
    // As the machine editor shows them.
    EXPECT_EQ(refusal("\"unsupported_ops\": []", "\"unsupported_ops\": [\"SOFTMAX\"]"), "accepted");
}

TEST(SessionJson, FilesInTheFolderAreRelative) {
    const auto document = nlohmann::json::parse(write_session_json(testing::sample_session(), folder()));
    EXPECT_EQ(document["file"], sample_model_path().filename().string());
}

TEST(SessionJson, RefusesNamesThatAreNotUtf8) {
    Session session = testing::sample_session();
    auto file = std::make_shared<OpenedFile>(*session.file);
    file->path = "/models\xfe/x\xff.gguf";
    session.file = file;
    try {
        write_session_json(session, folder());
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.where(), "/models\xEF\xBF\xBD/x\xEF\xBF\xBD.gguf");
        EXPECT_FALSE(error.remedy().empty());
    }
    // Unwritten members may have any name.
    file->path = "/models\xfe/x.gguf";
    const auto document = nlohmann::json::parse(write_session_json(session, "/models\xfe"));
    EXPECT_EQ(document["file"], "x.gguf");
}

TEST(SessionJson, RefusesStandardInputAsTheFile) {
    Session piped = testing::sample_session();
    auto input = std::make_shared<OpenedFile>(*piped.file);
    input->path = "-";
    piped.file = input;
    EXPECT_THROW(write_session_json(piped, folder()), Error);
    auto document = nlohmann::ordered_json::parse(write_session_json(testing::sample_session(), folder()));
    document["file"] = "-";
    try {
        parse_session_json(document.dump(), {}, "test");
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io) << error.what();
    }
}

TEST(SessionJson, LimitsTheTotalOfBreakpoints) {
    const auto read = [](std::size_t count, const char* pattern) {
        auto document = nlohmann::json::parse(write_session_json(testing::sample_session(), folder()));
        for (std::size_t i = 0; i < count; ++i)
            document["breakpoints"].push_back({{"kind", "regex"}, {"text", pattern}});
        return parse_saved_session_json(document.dump(), folder(), "test").breakpoints.size();
    };
    EXPECT_EQ(read(1000, "ffn_.*"), 1000U);
    EXPECT_THROW(read(1001, "ffn_.*"), Error);
    EXPECT_THROW(read(120, "a{1000}b{1000}c{1000}d{1000}"), Error);
}

TEST(SessionJson, LimitsDecisionBreakpoints) {
    const auto read = [](std::size_t count) {
        auto document =
            nlohmann::ordered_json::parse(write_session_json(testing::sample_session(), folder()));
        for (std::size_t i = 0; i < count; ++i)
            document["decision_stops"].push_back({{"kind", "cause"}, {"text", "3.upg"}});
        return parse_saved_session_json(document.dump(), folder(), "test").notes.stops.size();
    };
    EXPECT_EQ(read(10'000), 10'000U);
    try {
        read(10'001);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_EQ(error.where(), "test: /decision_stops");
    }
}

TEST(SessionJson, RefusesToWriteUnreadableSessions) {
    const auto refused = [](const std::function<void(SavedSession&)>& change) {
        SavedSession saved{testing::sample_session(), {}, {}};
        change(saved);
        try {
            write_session_json(saved, folder());
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            return std::string(error.where());
        }
        return std::string("written");
    };
    EXPECT_EQ(refused([](SavedSession& s) { s.session.machine.backends.front().name.assign(257, 'x'); }),
              "session: /machine: /backends/0/name");
    EXPECT_EQ(refused([](SavedSession& s) { s.session.model_options.overrides.resize(4097); }),
              "session: /model/overrides");
    EXPECT_EQ(refused([](SavedSession& s) {
                  s.session.model_options.tensor_split = {std::numeric_limits<float>::infinity()};
              }),
              "session: /model/tensor_split/0");
    EXPECT_EQ(refused([](SavedSession& s) { s.notes.bookmarks.resize(10'001); }), "session: /bookmarks");
    EXPECT_EQ(refused([](SavedSession& s) { s.notes.stops.resize(10'001); }), "session: /decision_stops");
    EXPECT_EQ(refused([](SavedSession& s) {
                  s.notes.bookmarks.resize(10'000);
                  s.notes.stops.resize(10'000);
              }),
              "written");
    EXPECT_EQ(refused([](SavedSession& s) {
                  s.breakpoints.assign(1001, {1, BreakpointKind::node, "x"});
              }),
              "session: /breakpoints");
    EXPECT_EQ(refused([](SavedSession&) {}), "written");
}

TEST(SessionJson, KeepsInvalidPatternsForEditing) {
    SavedSession saved{testing::sample_session(), {}, {}};
    saved.session.model_options.overrides = {{"ffn_(", "CPU", "--override-tensor"}};
    const std::string text = write_session_json(saved, folder());
    EXPECT_EQ(parse_saved_session_json(text, folder(), "test").session.model_options,
              saved.session.model_options);
    EXPECT_THROW(parse_session_json(text, folder(), "test"), Error);
}

TEST(SessionJson, NamesWrongValues) {
    const auto good = nlohmann::ordered_json::parse(write_session_json(testing::sample_session(), folder()));
    auto bad = good;
    bad["version"] = 2;
    EXPECT_NE(refusal(bad).find("/version"), std::string::npos);
    bad = good;
    bad["generation"] = "2023-01";
    EXPECT_NE(refusal(bad).find("/generation"), std::string::npos);
    bad = good;
    bad["model"]["batch"] = -1;
    EXPECT_NE(refusal(bad).find("/model/batch"), std::string::npos);
    bad = good;
    bad["model"]["kind"] = 3;
    EXPECT_NE(refusal(bad).find("/model/kind"), std::string::npos);
    bad = good;
    bad["model"]["overrides"] = {{{"pattern", "("}, {"target", "CPU"}}};
    EXPECT_NE(refusal(bad).find("/model/overrides/0/pattern"), std::string::npos);
    bad = good;
    for (int i = 0; i < 120; ++i)
        bad["model"]["overrides"].push_back({{"pattern", "a{1000}b{1000}c{1000}d{1000}"}, {"target", "CPU"}});
    EXPECT_NE(refusal(bad).find("/pattern"), std::string::npos) << "too large together";
    bad = good;
    bad["model"]["tensor_split"] = {1, "x"};
    EXPECT_NE(refusal(bad).find("/model/tensor_split"), std::string::npos);
    bad = good;
    bad["devices"]["GPU0"]["memory_total"] = -1;
    EXPECT_NE(refusal(bad).find("/devices/GPU0/memory_total"), std::string::npos);
    for (const char* rate : {"memory_bandwidth", "link_bandwidth", "flops_f16", "flops_f32"}) {
        bad = good;
        auto& facts = bad["devices"]["GPU0"];
        facts = {{"preset", ""},          {"title", ""},         {"memory_total", 0}, {"memory_free", 0},
                 {"memory_bandwidth", 0}, {"link_bandwidth", 0}, {"flops_f16", 1},    {"flops_f32", 1}};
        EXPECT_EQ(refusal(bad), "");
        facts[rate] = 1e-300;
        EXPECT_NE(refusal(bad).find(std::string("/devices/GPU0/") + rate), std::string::npos);
    }
    bad = good;
    bad["machine"]["backends"] = nlohmann::json::array();
    EXPECT_NE(refusal(bad), "");
    bad = good;
    bad.erase("file");
    EXPECT_NE(refusal(bad).find("member \"file\" is missing"), std::string::npos);
    EXPECT_THROW(parse_session_json("[", folder(), "test"), Error);
}

}  // namespace
}  // namespace splitscope
