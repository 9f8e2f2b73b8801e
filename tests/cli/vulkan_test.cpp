// SPDX-License-Identifier: MIT
// Vulkan in commands: listed devices, a computer without devices, comparison, profiling, validation and a
// lost device.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/backends/vulkan/environment.hpp"
#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

using Json = nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

std::vector<std::string> run_with(const std::string& backends, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {
        "run",      sample_model(), "--backends", backends, "--gpu-layers",  "99",
        "--prompt", "My father",    "--tokens",   "3",      "--temperature", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

class VulkanCommand : public ::testing::Test {
 protected:
    void SetUp() override {
        const Json devices = Json::parse(splitscope({"devices", "--json"}).out);
        const std::string why = devices["vulkan"]["why_none"];
        if (!why.empty()) GTEST_SKIP() << missing_vulkan(why);
    }
};

TEST(WithoutVulkan, ListAndRunsReportWhy) {
    const ScopedEnvironment files("VK_ICD_FILENAMES", "/nowhere/driver.json");
    const ScopedEnvironment newer("VK_DRIVER_FILES", "/nowhere/driver.json");
    const Outcome devices = splitscope({"devices"});
    EXPECT_EQ(devices.exit_code, 0);
    EXPECT_EQ(count(devices.out, "No Vulkan device can be used"), 1U) << devices.out;
    const Outcome run = splitscope(run_with("vulkan0,cpu"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(count(run.err, "the CPU computes for Vulkan0"), 1U) << run.err;
    EXPECT_EQ(run.out, splitscope(run_with("cpu")).out);
}

TEST_F(VulkanCommand, MatchesCpuTokensWithoutMessages) {
    const Outcome run = splitscope(run_with("vulkan0,cpu", {"--vulkan-validation"}));
    if (run.err.find("validation layer is not installed") != std::string::npos)
        GTEST_SKIP() << missing_vulkan(run.err);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(count(run.err, "Vulkan validation:"), 0U) << run.err;
    EXPECT_EQ(run.out, splitscope(run_with("cpu")).out);
}

TEST_F(VulkanCommand, RunsWithoutFusion) {
    const Outcome run = splitscope(run_with("vulkan0,cpu", {"--no-fusion"}));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, splitscope(run_with("cpu")).out);
    const auto profile = [](std::vector<std::string> more) {
        more.emplace_back("--profile");
        return splitscope(run_with("vulkan0,cpu", std::move(more))).out;
    };
    EXPECT_EQ(count(profile({"--no-fusion"}), "Fused when not profiled"), 0U);
    EXPECT_GT(count(profile({}), "Fused when not profiled"), 0U);
    const Outcome bench = splitscope({"bench", sample_model(), "--backends", "vulkan0,cpu", "--no-fusion",
                                      "--prompt-length", "4", "--tokens", "1", "--repeat", "1"});
    EXPECT_EQ(bench.exit_code, 0) << bench.err;
}

TEST_F(VulkanCommand, PrintsValidationMessages) {
    // Best-practice advice, which the layer gives on request, stands in for a validation error.
    const ScopedEnvironment advice("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT");
    const Outcome run = splitscope(run_with("vulkan,cpu", {"--vulkan-validation"}));
    if (run.err.find("validation layer is not installed") != std::string::npos)
        GTEST_SKIP() << missing_vulkan(run.err);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_GT(count(run.err, "Vulkan validation:"), 0U) << run.err;
}

TEST_F(VulkanCommand, ComparesWithTheCpu) {
    const Outcome text = splitscope({"compare", "--backends", "vulkan,cpu", sample_model()});
    EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
    const Outcome outcome = splitscope({"compare", "--backends", "vulkan0,cpu", sample_model(), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("backend-comparison"), json), "");
}

std::optional<std::filesystem::path> golden_models() {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    const std::filesystem::path models =
        std::filesystem::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models";
    return std::filesystem::is_directory(models) ? std::optional(models) : std::nullopt;
}

/// The CPU rounds activations to Q8_0 or Q8_K, so that its own error exceeds the tolerance of a product.
TEST_F(VulkanCommand, IsNotBlamedForTheRoundingOfTheCpu) {
    const auto models = golden_models();
    if (!models) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN to compare models";
    for (const char* name : {"stories260K-q8_0.gguf", "tiny-llama256-q4_K.gguf"}) {
        SCOPED_TRACE(name);
        std::vector<std::string> arguments{"compare", "--backends", "vulkan0,cpu", (*models / name).string()};
        if (std::string(name).starts_with("stories"))
            arguments.insert(arguments.end(), {"--prompt-tokens", "29,451,22,489,102"});
        const Outcome text = splitscope(arguments);
        EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
        EXPECT_NE(text.out.find("0 exceed their tolerance\n1 node not counted: beyond tolerance only because "
                                "CPU rounds activations"),
                  std::string::npos)
            << text.out;
        arguments.emplace_back("--json");
        const Json json = Json::parse(splitscope(arguments).out);
        EXPECT_EQ(schema_problem(schema_named("backend-comparison"), json), "");
        EXPECT_EQ(json["reference_rounds"], 1);
        std::size_t rounded = 0;
        for (const Json& graph : json["graphs"]) {
            for (const Json& node : graph["nodes"]) {
                if (!node.contains("exact_nmse")) continue;
                ++rounded;
                EXPECT_GT(node["nmse"], node["tolerance"]);
                EXPECT_LT(node["exact_nmse"], 1e-9);
                EXPECT_EQ(node["exceeds"], false);
            }
        }
        EXPECT_EQ(rounded, 1U);
    }
}

TEST_F(VulkanCommand, IsNotBlamedForAccumulatedErrors) {
    const auto models = golden_models();
    if (!models) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN to compare models";
    std::vector<std::string> arguments{"compare", "--backends", "vulkan0,cpu", "--accumulate",
                                       (*models / "stories260K.gguf").string()};
    const Outcome text = splitscope(arguments);
    EXPECT_EQ(text.exit_code, 0) << text.out << text.err;
    EXPECT_NE(text.out.find(" not checked by their accumulated errors, because their operands already "
                            "differ; from equal operands, they are within their tolerance\nthe prompt of 12 "
                            "tokens ends with result_output: NMSE "),
              std::string::npos)
        << text.out;
    arguments.emplace_back("--json");
    const Json json = Json::parse(splitscope(arguments).out);
    EXPECT_EQ(schema_problem(schema_named("backend-comparison"), json), "");
    EXPECT_GT(json["not_judged"], 100);
    arguments.insert(arguments.end(), {"--tolerance", "1e-9"});
    EXPECT_EQ(splitscope(arguments).exit_code, 1);
}

TEST_F(VulkanCommand, ProfilesTheDevice) {
    const Outcome outcome = splitscope(run_with("vulkan0,cpu", {"--profile", "--json"}));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("run"), json), "");
    bool products = false;
    for (const Json& line : json["profile"]["token"]) {
        if (line["step"] != "MUL_MAT") continue;
        products = line["backend"] == "Vulkan0" && line["count"] > 1 && line["nanoseconds"] > 0;
    }
    EXPECT_TRUE(products) << outcome.out;
    const Json& device = json["profile"]["token_devices"].at(0);
    std::uint64_t bytes = 0;
    for (const Json& line : json["profile"]["token"])
        if (line["backend"] == "Vulkan0" && line.contains("flops"))
            bytes += line.at("bytes").get<std::uint64_t>();
    EXPECT_EQ(bytes, device["touched_bytes"]) << "the device counts the same nodes";
    EXPECT_EQ(device["backend"], "Vulkan0");
    EXPECT_GT(device["dispatches"], device["submissions"]);
    bool norms = false;
    for (const Json& line : device["together"]) {
        if (line["steps"] != "RMS_NORM + MUL") continue;
        norms = line["kernels"] > 1 && line["first"].size() == 2;
        // Per kernel: rows of 256, of which the normed values stay within it.
        EXPECT_EQ(line["touched_bytes"], line["kernels"].get<int>() * 3 * 256 * 4) << line;
        EXPECT_EQ(line["flops"], line["kernels"].get<int>() * 2 * 256) << line;
    }
    EXPECT_TRUE(norms) << outcome.out;
    const Outcome text = splitscope(run_with("vulkan0,cpu", {"--profile"}));
    EXPECT_NE(text.out.find("The last token"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("MUL_MAT"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("RMS_NORM + MUL"), std::string::npos) << text.out;
    for (const char* words : {"copies between backends", "Copy commands", "Fused when not profiled",
                              "Commands of this timed run, which fuses no nodes"})
        EXPECT_NE(text.out.find(words), std::string::npos) << words << text.out;
}

TEST_F(VulkanCommand, LostDeviceEndsTheRunAndTheCpuContinues) {
    const ScopedEnvironment layers("VK_INSTANCE_LAYERS", "VK_LAYER_SPLITSCOPE_faults");
    const ScopedEnvironment path("VK_LAYER_PATH", SPLITSCOPE_FAULT_LAYER_DIR);
    const ScopedEnvironment faults("SPLITSCOPE_FAULTS", "lose-wait=5");
    const Outcome lost = splitscope(run_with("vulkan0,cpu"));
    EXPECT_EQ(lost.exit_code, 1) << lost.out << lost.err;
    EXPECT_NE(lost.err.find("device lost"), std::string::npos) << lost.err;
    EXPECT_NE(lost.err.find("Vulkan0"), std::string::npos) << lost.err;
    EXPECT_NE(lost.err.find("run again on the CPU"), std::string::npos) << lost.err;
    EXPECT_EQ(splitscope(run_with("cpu")).exit_code, 0);
}

}  // namespace
}  // namespace splitscope::test
