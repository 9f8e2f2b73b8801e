// SPDX-License-Identifier: MIT
// Saved sessions on the command line: every command opens them like models and graphs.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

/// A session about the sample model, half of its layers on a simulated GPU that has no RMS_NORM.
std::string session_text() {
    nlohmann::ordered_json session;
    session["format"] = "splitscope-session";
    session["version"] = 1;
    session["file"] = sample_model();
    session["generation"] = "2025-06";
    session["model"] = {
        {"kind", "decode"}, {"context", 64}, {"batch", 32}, {"gpu_layers", 2}, {"flash_attention", false}};
    session["machine"] = {{"format", "splitscope-machine"},
                          {"version", 1},
                          {"name", "saved machine"},
                          {"buffer_types",
                           {{{"name", "GPU0"}, {"alignment", 128}, {"max_size", nullptr}, {"is_host", false}},
                            {{"name", "CPU"}, {"alignment", 32}, {"max_size", nullptr}, {"is_host", true}}}},
                          {"buffers", nlohmann::json::array()},
                          {"backends",
                           {{{"name", "GPU0"},
                             {"device", "gpu"},
                             {"buffer_type", "GPU0"},
                             {"supports_buffer_types", {"GPU0"}},
                             {"unsupported_ops", {"RMS_NORM"}},
                             {"unsupported_types", nlohmann::json::array()},
                             {"offload_min_batch", nullptr},
                             {"async", true},
                             {"events", true}},
                            {{"name", "CPU"},
                             {"device", "cpu"},
                             {"buffer_type", "CPU"},
                             {"supports_buffer_types", {"CPU"}},
                             {"unsupported_ops", nlohmann::json::array()},
                             {"unsupported_types", nlohmann::json::array()},
                             {"offload_min_batch", nullptr},
                             {"async", false},
                             {"events", false}}}},
                          {"scheduler", {{"parallel", false}, {"op_offload", true}}},
                          {"assignments", nlohmann::json::array()}};
    return session.dump(2);
}

TEST(SavedSession, IsScheduledAsSaved) {
    const TemporaryFolder folder;
    const std::string session = folder.file("mine.splitscope.json", session_text());
    const Outcome saved = splitscope({"schedule", session, "--json"});
    ASSERT_EQ(saved.exit_code, 0) << saved.err;
    const auto json = nlohmann::json::parse(saved.out);
    EXPECT_EQ(json["generation"], "2025-06");
    const Outcome plain =
        splitscope({"schedule", sample_model(), "--gpu-layers", "2", "--generation", "2025-06", "--json"});
    EXPECT_GT(json["splits"].size(), nlohmann::json::parse(plain.out)["splits"].size());
    // Options override saved values.
    const Outcome newer = splitscope({"schedule", session, "--generation", "2026-08", "--json"});
    EXPECT_EQ(nlohmann::json::parse(newer.out)["generation"], "2026-08");
}

TEST(SavedSession, Runs) {
    const TemporaryFolder folder;
    const std::string session = folder.file("mine.splitscope.json", session_text());
    const std::vector<std::string> options = {"--prompt", "Once", "--tokens", "4", "--temperature", "0"};
    std::vector<std::string> saved = {"run", session};
    std::vector<std::string> model = {"run", sample_model()};
    saved.insert(saved.end(), options.begin(), options.end());
    model.insert(model.end(), options.begin(), options.end());
    const Outcome outcome = splitscope(saved);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, splitscope(model).out);
}

TEST(SavedSession, IsReported) {
    const TemporaryFolder folder;
    const std::string session = folder.file("mine.splitscope.json", session_text());
    Start start;
    start.folder = folder.path();
    const Outcome report = splitscope({"report", session, "-o", "r.md"}, start);
    ASSERT_EQ(report.exit_code, 0) << report.err;
    EXPECT_NE(read_file(folder.path() / "r.md").find("2025-06"), std::string::npos);
}

TEST(SavedSession, NamesMistakes) {
    const TemporaryFolder folder;
    std::string text = session_text();
    text.replace(text.find("\"buffer_type\": \"CPU\""), 20, "\"buffer_type\": \"XYZ\"");
    const Outcome wrong = splitscope({"schedule", folder.file("wrong.splitscope.json", text)});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_NE(wrong.err.find("wrong.splitscope.json"), std::string::npos) << wrong.err;
    EXPECT_EQ(line_count(wrong.err), 1U) << wrong.err;
}

}  // namespace
}  // namespace splitscope::test
