// SPDX-License-Identifier: MIT
// Selected parts of a report, and reports of failed schedules.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/process.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/reports/markup_check.hpp"

namespace splitscope::test {
namespace {

TEST(ReportOptions, SectionsSelectTheContent) {
    const Outcome outcome = splitscope({"report", sample_model(), "--sections", "summary,findings"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(markup_problem(outcome.out), "");
    EXPECT_NE(outcome.out.find("<section id=\"findings\">"), std::string::npos);
    EXPECT_EQ(outcome.out.find("<section id=\"buffers\">"), std::string::npos);
    const auto json = nlohmann::json::parse(
        splitscope({"report", sample_model(), "--sections", "splits", "--format", "json"}).out);
    EXPECT_EQ(json["sections"], nlohmann::json({"splits"}));
    EXPECT_EQ(json["tables"].size(), 3U);
    EXPECT_TRUE(json["summary"].empty());
}

TEST(ReportOptions, UnknownSectionListsTheKnownOnes) {
    const Outcome outcome = splitscope({"report", sample_model(), "--sections", "colours"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("comparison"), std::string::npos) << outcome.err;
}

TEST(ReportOptions, TablesWithoutRowsHaveTheirHeader) {
    const Outcome empty =
        splitscope({"report", sample_model(), "--gpu-layers", "99", "--table", "cpu-fallbacks"});
    EXPECT_EQ(empty.exit_code, 0) << empty.err;
    EXPECT_EQ(empty.out, "op,count,first,reason\r\n");
    EXPECT_EQ(splitscope({"report", sample_model(), "--table", "devices"}).exit_code, 0);
    const Outcome misspelt = splitscope({"report", sample_model(), "--table", "cpu-fallback"});
    EXPECT_EQ(misspelt.exit_code, 2);
    EXPECT_NE(misspelt.err.find("did you mean cpu-fallbacks?"), std::string::npos) << misspelt.err;
}

TEST(ReportOptions, CompareAddsAnotherGeneration) {
    const auto report = [](std::vector<std::string> more) {
        std::vector<std::string> arguments{"report", sample_model(), "--compare", "2024-01"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splitscope(arguments);
    };
    // 2024-01 knows no flash attention: it fails, which is not a difference between tensors.
    const Outcome gave_up = report({"--flash-attn", "on", "--format", "json"});
    ASSERT_EQ(gave_up.exit_code, 0) << gave_up.err;
    const auto comparison = nlohmann::json::parse(gave_up.out)["comparison"];
    EXPECT_EQ(comparison["Same decisions"], "no");
    EXPECT_TRUE(comparison.contains("2024-01 failed")) << comparison;
    EXPECT_FALSE(comparison.contains("On another backend in the end")) << comparison;
    EXPECT_EQ(line_count(report({"--flash-attn", "on", "--table", "differences"}).out), 1U);
    const Outcome table = report({"--flash-attn", "off", "--table", "differences"});
    EXPECT_GT(line_count(table.out), 10U) << table.out;
}

const std::vector<std::string> kDevices = {"--device", "rtx-3060,epyc-9654", "--gpu-layers", "2"};

std::vector<std::string> with_devices(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), kDevices.begin(), kDevices.end());
    return arguments;
}

TEST(ReportOptions, MemoryMatchesPlan) {
    const Outcome plan = splitscope(with_devices({"plan", sample_model(), "--json"}));
    const Outcome report = splitscope(with_devices({"report", sample_model(), "--format", "json"}));
    ASSERT_EQ(report.exit_code, 0) << report.err;
    const auto planned = nlohmann::json::parse(plan.out)["devices"];
    const auto document = nlohmann::json::parse(report.out);
    const auto& tables = document["tables"];
    const auto table = std::ranges::find(tables, "device-memory", [](const auto& t) { return t["id"]; });
    ASSERT_NE(table, tables.end());
    ASSERT_EQ((*table)["rows"].size(), planned.size());
    for (std::size_t d = 0; d < planned.size(); ++d) {
        const auto& row = (*table)["rows"][d];
        EXPECT_EQ(row[0], planned[d]["name"]);
        EXPECT_EQ(row[6], planned[d]["total"]);
        EXPECT_EQ(row[7], planned[d]["memory"]);
    }
    EXPECT_EQ(document["summary"]["Fits"], "yes");
}

TEST(ReportOptions, SpeedsMatchPlanExceptForSmallModels) {
    const TemporaryFile place("");
    const std::string large = place.path().string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "1.1b", "--header-only", "-o", large}).exit_code, 0);
    for (const std::string& model : {sample_model(), large}) {
        const auto devices = {"--device", "rtx-3060,epyc-9654"};
        std::vector<std::string> words{"report", model, "--format", "json"};
        words.insert(words.end(), devices.begin(), devices.end());
        const Outcome report = splitscope(words);
        ASSERT_EQ(report.exit_code, 0) << report.err;
        words = {"plan", model, "--json"};
        words.insert(words.end(), devices.begin(), devices.end());
        const auto seconds = nlohmann::json::parse(splitscope(words).out)["decode"]["seconds"];
        EXPECT_EQ(seconds.is_null(), model != large);
        const auto summary = nlohmann::json::parse(report.out)["summary"];
        EXPECT_EQ(summary.contains("Generates, estimated"), model == large) << summary;
        EXPECT_EQ(summary.contains("Reads prompts, estimated"), model == large) << summary;
    }
}

TEST(ReportOptions, ReportAModelThatDoesNotFitLikeLint) {
    const std::vector<std::string> huge = {"--context", "67108864"};
    std::vector<std::string> arguments = with_devices({"lint", sample_model(), "--json"});
    arguments.insert(arguments.end(), huge.begin(), huge.end());
    const Outcome linted = splitscope(arguments);
    ASSERT_EQ(linted.exit_code, 1) << linted.err;
    const auto finding = nlohmann::json::parse(linted.out)["findings"].at(0);
    ASSERT_EQ(finding["rule"], "does-not-fit");
    arguments = with_devices({"report", sample_model(), "--format", "json"});
    arguments.insert(arguments.end(), huge.begin(), huge.end());
    const Outcome report = splitscope(arguments);
    ASSERT_EQ(report.exit_code, 0) << report.err;
    const auto document = nlohmann::json::parse(report.out);
    const auto& tables = document["tables"];
    const auto table = std::ranges::find(tables, "findings", [](const auto& t) { return t["id"]; });
    ASSERT_NE(table, tables.end());
    // Reports name the product of a device.
    const std::string what = finding["what"];
    const std::string needs = what.substr(what.find(" needs "));
    std::size_t found = 0;
    for (const auto& row : (*table)["rows"]) {
        if (row[0] == "error" && row[1].get<std::string>().ends_with(needs)) ++found;
    }
    EXPECT_EQ(found, 1U);
    EXPECT_EQ(document["summary"]["Fits"], "NO");
}

TEST(ReportOptions, SuggestionsMatchSuggest) {
    // Large enough for an estimate.
    const TemporaryFile place("");
    const std::string model = place.path().string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "8b", "--header-only", "-o", model}).exit_code, 0);
    const Outcome searched = splitscope({"suggest", model, "--device", "rtx-3060,epyc-9654", "--json"});
    ASSERT_EQ(searched.exit_code, 0) << searched.err;
    std::string switches;
    const auto found = nlohmann::json::parse(searched.out);
    for (const auto& word : found["best"]["switches"])
        switches += (switches.empty() ? "" : " ") + word.get<std::string>();
    const Outcome report = splitscope(with_devices({"report", model, "--suggest", "--table", "suggestions"}));
    ASSERT_EQ(report.exit_code, 0) << report.err;
    EXPECT_NE(report.out.find(switches + "\r\n"), std::string::npos) << report.out;
}

std::size_t times_in(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
}

TEST(ReportOptions, SuggestCountsPlacementsOnce) {
    const TemporaryFile place("");
    const std::string model = place.path().string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "8b", "--header-only", "-o", model}).exit_code, 0);
    const Outcome fits = splitscope({"suggest", model, "--device", "rtx-3060,epyc-9654"});
    EXPECT_EQ(times_in(fits.out, " placements"), 1U) << fits.out;
    EXPECT_NE(fits.out.find(" planned, the others ruled out by their bounds; 5 % of"), std::string::npos)
        << fits.out;
    const Outcome nothing = splitscope({"suggest", model, "--device", "rtx-3060:0.1,epyc-9654:0.5"});
    EXPECT_NE(nothing.out.find(" placements, all ruled out by their bounds; 5 % of"), std::string::npos)
        << nothing.out;
}

/// A node assigned to one backend, viewed by a node assigned to the other: the copy precedes its source.
TEST(Findings, AppearInScheduleAndReport) {
    const TemporaryFolder folder;
    const std::string graph =
        folder.file("g.graph.json", R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]},
{"name":"v","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"VIEW","src":[1],"view_src":1,"view_offs":0},
{"name":"b","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[2]}],"nodes":[1,2,3],"leafs":[0]})");
    const std::string machine =
        folder.file("m.machine.json", R"({"format":"splitscope-machine","version":1,"name":"m",
"buffer_types":[{"name":"GPU0","alignment":256,"max_size":null,"is_host":false},
{"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],
"backends":[{"name":"GPU0","device":"gpu","buffer_type":"GPU0","supports_buffer_types":["GPU0"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false},
{"name":"CPU","device":"cpu","buffer_type":"CPU","supports_buffer_types":["CPU"],"unsupported_ops":[],
"unsupported_types":[],"offload_min_batch":null,"async":false,"events":false}],
"scheduler":{"parallel":false,"op_offload":true},"assignments":[
{"tensor":1,"backend":"GPU0"},{"tensor":2,"backend":"CPU"},{"tensor":3,"backend":"GPU0"}]})");
    const Outcome schedule = splitscope({"schedule", "--graph", graph, "--machine", machine});
    EXPECT_EQ(schedule.exit_code, 0) << schedule.err;
    EXPECT_NE(schedule.out.find("Findings"), std::string::npos) << schedule.out;
    const Outcome report =
        splitscope({"report", "--graph", graph, "--machine", machine, "--table", "findings"});
    EXPECT_NE(report.out.find("copied before it is computed"), std::string::npos) << report.out << report.err;
}

/// Options without effect are refused.
TEST(ReportOptions, OptionsIgnoredByAFormatAreRefused) {
    const std::vector<std::vector<std::string>> ignored = {{"--format", "json", "--table", "splits"},
                                                           {"--format", "html", "--draw-seconds", "5"},
                                                           {"--format", "trace", "--compare", "2024-10"},
                                                           {"--format", "trace", "--sections", "splits"},
                                                           {"--format", "dot", "--sections", "splits"},
                                                           {"--format", "dot", "--suggest"},
                                                           {"--format", "dot", "--run"},
                                                           {"--format", "dot", "--show-path"},
                                                           {"--prompt", "Once"},
                                                           {"--tokens", "4"},
                                                           {"--threads", "2"}};
    for (const auto& options : ignored) {
        std::vector<std::string> arguments{"report", sample_model()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = splitscope(arguments);
        const std::string& option = options.size() > 2 ? options[2] : options[0];
        EXPECT_EQ(outcome.exit_code, 2) << option;
        EXPECT_NE(outcome.err.find(option + ": has no effect"), std::string::npos) << outcome.err;
    }
}

TEST(ReportOptions, OptionsIgnoredForGraphsAreRefused) {
    const std::string log = SPLITSCOPE_SOURCE_DIR "/docs/examples/half-on-the-gpu.log";
    const std::vector<std::vector<std::string>> ignored = {
        {"--gpu-layers", "2"}, {"--context", "512"},           {"--cache-type-k", "q8_0"}, {"--prefill"},
        {"--no-kv-offload"},   {"--override-tensor", "x=CPU"}, {"--like", "llama-cli"}};
    for (const auto& options : ignored) {
        std::vector<std::string> arguments{"schedule", log};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const Outcome outcome = splitscope(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << options[0];
        EXPECT_NE(outcome.err.find(options[0] + ": has no effect on " + log), std::string::npos)
            << outcome.err;
    }
    // Op offload is a property of the machine.
    EXPECT_EQ(splitscope({"schedule", log, "--no-op-offload"}).exit_code, 0);
    const Outcome model = splitscope({"schedule", sample_model(), "--graph-number", "2"});
    EXPECT_EQ(model.exit_code, 2);
    EXPECT_NE(model.err.find("--graph-number: "), std::string::npos) << model.err;
}

TEST(ReportOptions, NameAMachineThatDoesNotFitTheGraph) {
    const std::string examples = SPLITSCOPE_SOURCE_DIR "/docs/examples/";
    const std::string log = examples + "half-on-the-gpu.log";
    const std::string machine = examples + "gpu-without-soft-max.machine.json";
    const Outcome outcome = splitscope({"schedule", log, "--machine", machine});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find(machine + " with " + log + ": "), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace splitscope::test
