// SPDX-License-Identifier: MIT
// Every JSON output of the program conforms to its schema.
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"
#include "tests/cli/small_graph.hpp"

namespace splitscope::test {
namespace {

using Json = nlohmann::json;

void expect_valid(const std::string& schema, const std::vector<std::string>& arguments,
                  const std::vector<int>& codes = {0}) {
    const Outcome outcome = splitscope(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    EXPECT_NE(std::ranges::find(codes, outcome.exit_code), codes.end())
        << line << outcome.exit_code << outcome.err;
    const Json json = Json::parse(outcome.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << line;
    EXPECT_EQ(schema_problem(schema_named(schema), json), "") << line;
}

TEST(Schemas, DescribeReports) {
    expect_valid("report", {"report", sample_model(), "--format", "json"});
    expect_valid("report", {"report", sample_model(), "--format", "json", "--sections", "summary"});
    expect_valid("report", {"report", sample_model(), "--format", "json", "--compare", "2024-01",
                            "--gpu-layers", "2", "--run", "--tokens", "2"});
}

TEST(Schemas, DescribeTheTimeline) {
    expect_valid("trace", {"report", sample_model(), "--format", "trace", "--run", "--tokens", "2",
                           "--gpu-layers", "2"});
}

TEST(Schemas, DescribeSchedulesOfEveryGeneration) {
    for (const char* generation : {"2024-01", "2024-10", "2025-06", "2026-08"})
        expect_valid("schedule",
                     {"schedule", sample_model(), "--json", "--generation", generation, "--gpu-layers", "2"});
}

TEST(Schemas, DescribeTheDecisionsOnATensor) {
    expect_valid("why", {"schedule", sample_model(), "--json", "--gpu-layers", "2", "--why", "Qcur-0"});
}

TEST(Schemas, DescribeComparisons) {
    expect_valid("comparison", {"compare", sample_model(), "2024-01", "2026-08", "--json"}, {0, 1});
}

TEST(Schemas, DescribeInspections) {
    const TemporaryFolder folder;
    expect_valid("inspection", {"inspect", sample_model(), "--json"});
    expect_valid("inspection", {"inspect", folder.file("g.graph.json", kSmallGraph), "--json"});
}

TEST(Schemas, DescribeRunsAndMeasurements) {
    expect_valid("run", {"run", sample_model(), "--prompt", "My", "--tokens", "2", "--json"});
    expect_valid("bench", {"bench", sample_model(), "--prompt-length", "4", "--tokens", "2", "--repeat", "2",
                           "--json"});
}

TEST(Schemas, DescribePlans) {
    const std::vector<std::string> devices = {sample_model(), "--device", "rtx-3060,epyc-9654", "--json"};
    const auto with = [&](const std::string& command) {
        std::vector<std::string> arguments = {command};
        arguments.insert(arguments.end(), devices.begin(), devices.end());
        return arguments;
    };
    expect_valid("plan", with("plan"));
    expect_valid("lint", with("lint"), {0, 1});
    expect_valid("suggestion", with("suggest"));
}

TEST(Schemas, DescribeDevices) {
    expect_valid("devices", {"devices", "--json"});
    expect_valid("presets", {"devices", "--presets", "--json"});
}

TEST(Schemas, DescribeImports) {
    const std::string log = SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log";
    expect_valid("import", {"import", log, "--json"});
    expect_valid("import", {"import", log, "--generation", "2024-01", "--json"}, {0, 1});
    expect_valid("import", {"import", log, "--model", sample_model(), "--json"});
    expect_valid("inspection", {"inspect", log, "--json"});
}

TEST(Schemas, DescribeComparisonsOfBackends) {
    expect_valid("backend-comparison", {"compare", "--backends", "cpu,cpu", sample_model(), "--json"},
                 {0, 1});
}

/// Input formats: a graph and its machine as written by `import`, and the machine of the documentation.
TEST(Schemas, DescribeGraphsAndMachines) {
    const TemporaryFolder folder;
    const std::string graph = (folder.path() / "g.graph.json").string();
    const Outcome outcome = splitscope(
        {"import", SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log", "-o", graph, "--quiet"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::size_t machines = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = entry.path().filename().string();
        const bool is_machine = name.find("machine") != std::string::npos;
        machines += is_machine ? 1 : 0;
        EXPECT_EQ(schema_problem(schema_named(is_machine ? "machine" : "graph"),
                                 Json::parse(read_file(entry.path()))),
                  "")
            << name;
    }
    EXPECT_EQ(machines, 1U);
    const std::string example = SPLITSCOPE_SOURCE_DIR "/docs/examples/gpu-without-soft-max.machine.json";
    EXPECT_EQ(schema_problem(schema_named("machine"), Json::parse(read_file(example))), "");
    EXPECT_EQ(schema_problem(schema_named("graph"), Json::parse(kSmallGraph)), "");
}

/// Names of members anywhere in a schema.
void collect_keys(const Json& schema, std::set<std::string>& keys) {
    if (schema.is_object() && schema.contains("properties")) {
        for (const auto& [key, value] : schema["properties"].items()) keys.insert(key);
    }
    if (!schema.is_structured()) return;
    for (const Json& part : schema) collect_keys(part, keys);
}

TEST(Schemas, EveryKeyIsDocumented) {
    const std::string page = read_file(SPLITSCOPE_SOURCE_DIR "/docs/file-formats.md");
    for (const auto& entry :
         std::filesystem::directory_iterator(SPLITSCOPE_SOURCE_DIR "/resources/schemas")) {
        std::set<std::string> keys;
        collect_keys(Json::parse(read_file(entry.path())), keys);
        for (const std::string& key : keys) {
            EXPECT_TRUE(page.find("`" + key + "`") != std::string::npos ||
                        page.find("\"" + key + "\"") != std::string::npos)
                << key << " of " << entry.path().filename();
        }
    }
}

TEST(Schemas, DetectViolations) {
    const Json schema = schema_named("run");
    Json value = {
        {"format", "splitscope-run"}, {"version", 1}, {"prompt_tokens", {1}}, {"tokens", {2}}, {"text", "x"},
        {"cancelled", false}};
    EXPECT_EQ(schema_problem(schema, value), "");
    value["tokens"] = {"two"};
    EXPECT_NE(schema_problem(schema, value).find("/tokens/0"), std::string::npos);
    value["tokens"] = {2};
    value["more"] = 1;
    EXPECT_NE(schema_problem(schema, value).find("/more"), std::string::npos);
    value.erase("more");
    value["version"] = 2;
    EXPECT_NE(schema_problem(schema, value).find("/version"), std::string::npos);
    value["version"] = 1;
    value.erase("text");
    EXPECT_NE(schema_problem(schema, value).find("text"), std::string::npos);
}

TEST(Schemas, HaveFormatAndVersion) {
    std::size_t count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(SPLITSCOPE_SOURCE_DIR "/resources/schemas")) {
        const Json schema = Json::parse(read_file(entry.path()));
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(schema["$id"], "splitscope-" + name.substr(0, name.find('.')) + "/1");
        ++count;
    }
    EXPECT_GE(count, 17U);
}

}  // namespace
}  // namespace splitscope::test
