// SPDX-License-Identifier: MIT
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/json_schema.hpp"
#include "tests/cli/process.hpp"
#include "tests/formats/graph_of_sizes.hpp"
#include "tests/reports/markup_check.hpp"

namespace splitscope::test {
namespace {

/// The golden folder, or none (reported by the test).
std::optional<std::filesystem::path> golden_folder() {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    const std::filesystem::path folder = chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR;
    return std::filesystem::is_directory(folder / "sched") ? std::optional(folder) : std::nullopt;
}

TEST(ScheduleCommand, PrintsTheKeysOfARecordedCase) {
    const auto golden = golden_folder();
    if (!golden) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN to check against recorded schedules";
    std::vector<std::filesystem::path> cases;
    for (const auto& entry : std::filesystem::directory_iterator(*golden / "sched")) {
        if (std::filesystem::exists(entry.path() / "expected-2024-10.json")) cases.push_back(entry.path());
    }
    std::ranges::sort(cases);
    ASSERT_FALSE(cases.empty());
    // The golden tests check every case through the library; this runs a sample through the program.
    for (std::size_t i = 0; i < cases.size(); i += 11) {
        const Outcome outcome =
            splitscope({"schedule", "--graph", (cases[i] / "graph.json").string(), "--machine",
                        (cases[i] / "machine.json").string(), "--generation", "2024-10", "--json"});
        const auto ours = nlohmann::json::parse(outcome.out);
        const auto theirs = nlohmann::json::parse(read_file(cases[i] / "expected-2024-10.json"));
        ASSERT_EQ(outcome.exit_code, theirs["error"].is_null() ? 0 : 1) << cases[i] << outcome.err;
        if (theirs["error"].is_null()) {
            EXPECT_EQ(ours, theirs) << cases[i];
        } else {
            EXPECT_FALSE(ours["error"].is_null()) << cases[i];
        }
    }
}

TEST(ImportCommand, OpensTheLastCompleteGraphOfATruncatedLog) {
    const auto golden = golden_folder();
    const auto log = golden.value_or("") / "logs" / "2026-08-stories260K-gpu-half-debug2.log";
    if (!std::filesystem::exists(log)) GTEST_SKIP() << "NO GOLDEN DATA: set SPLITSCOPE_GOLDEN";
    Start start;
    start.input = read_file(log).substr(0, 40000);
    const Outcome whole = splitscope({"import", "-"}, start);
    EXPECT_EQ(whole.exit_code, 0) << whole.err;
    EXPECT_NE(whole.out.find(", incomplete"), std::string::npos) << whole.out;
    EXPECT_NE(whole.out.find(", all the same"), std::string::npos) << whole.out;
    const auto graphs = nlohmann::json::parse(splitscope({"import", "-", "--json"}, start).out)["graphs"];
    const Outcome cut = splitscope({"import", "-", "--graph-number", std::to_string(graphs.size())}, start);
    EXPECT_NE(cut.out.find("the log ends within this graph"), std::string::npos) << cut.out;
    EXPECT_NE(cut.out.find(", the same as far as the log goes"), std::string::npos) << cut.out;
}

TEST(ScheduleCommand, ReadsAGraphFromStandardInput) {
    Start start;
    start.input = R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})";
    const Outcome outcome = splitscope({"schedule", "--graph", "-", "--json"}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["splits"].size(), 1U);
}

TEST(ScheduleCommand, OpensALargeFileOnlyIfAllowed) {
    const std::string text = splitscope::test::graph_of_sizes(1, 200'002);
    Start start;
    start.input = text;
    const Outcome refused = splitscope({"schedule", "-"}, start);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("--allow-memory"), std::string::npos) << refused.err;
    const Outcome allowed = splitscope({"schedule", "-", "--allow-memory"}, start);
    EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
    const Outcome within = splitscope({"schedule", "-", "--memory-limit", "128"}, start);
    EXPECT_EQ(within.exit_code, 0) << within.err;
}

TEST(ScheduleCommand, PrintsTextWithoutJson) {
    const Outcome outcome = splitscope({"schedule", sample_model(), "--gpu-layers", "2"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\nSplits\n"), std::string::npos);
    EXPECT_NE(outcome.out.find("copied per token"), std::string::npos);
}

TEST(ScheduleCommand, ExplainsOneTensor) {
    const auto why = [](const std::string& tensor) {
        return splitscope({"schedule", sample_model(), "--gpu-layers", "2", "--why", tensor});
    };
    const Outcome one = why("Qcur-0@ROPE");
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_TRUE(one.out.starts_with("Qcur-0@ROPE: CPU\npass ")) << one.out;
    EXPECT_NE(one.out.find("2.sup"), std::string::npos) << one.out;
    EXPECT_NE(one.out.find("@"), std::string::npos) << one.out;
    const Outcome all = why("Qcur-0");
    EXPECT_NE(all.out.find("Qcur-0@MUL_MAT: "), std::string::npos) << all.out;
    EXPECT_NE(all.out.find(one.out), std::string::npos) << all.out;
    const Outcome misspelt = why("Qcru-0");
    EXPECT_EQ(misspelt.exit_code, 2);
    EXPECT_NE(misspelt.err.find("did you mean Qcur-0?"), std::string::npos) << misspelt.err;
    EXPECT_EQ(misspelt.out, "");
}

TEST(ScheduleCommand, FollowsGpuLayers) {
    const auto splits = [](const char* layers) {
        const Outcome outcome = splitscope({"schedule", sample_model(), "--gpu-layers", layers, "--json"});
        std::set<int> backends;
        const auto json = nlohmann::json::parse(outcome.out);
        for (const auto& split : json["splits"]) backends.insert(split["backend"].get<int>());
        return backends;
    };
    EXPECT_EQ(splits("0"), (std::set<int>{1}));
    EXPECT_EQ(splits("2"), (std::set<int>{0, 1}));
}

TEST(MakeModelCommand, WritesARunnableModel) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "random.gguf").string();
    const Outcome made =
        splitscope({"make-model", "--layers", "1", "--embedding", "64", "--heads", "2", "--kv-heads", "1",
                    "--feed-forward", "128", "--vocabulary", "300", "--type", "q8_0", "-o", path});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Outcome ran =
        splitscope({"run", path, "--prompt-tokens", "1,270,280", "-n", "4", "--temperature", "0", "--json"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(nlohmann::json::parse(ran.out)["tokens"].size(), 4U);
}

TEST(MakeModelCommand, HeaderOnlyModelCanBePlannedButNotRun) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "8b.gguf").string();
    const Outcome made =
        splitscope({"make-model", "--preset", "8b", "--type", "q4_K", "--header-only", "-o", path});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_LT(std::filesystem::file_size(path), 8U << 20);
    const Outcome planned =
        splitscope({"plan", path, "--device", "rtx-3090,epyc-9654", "--context", "8192", "--json"});
    ASSERT_EQ(planned.exit_code, 0) << planned.err;
    const auto devices = nlohmann::json::parse(planned.out)["devices"];
    ASSERT_EQ(devices.size(), 2U);
    // 8.03 billion parameters at 4.5 bits; those of the embedding stay on the CPU.
    EXPECT_NEAR(devices[0]["weights"].get<double>(), (8.03e9 - 128256.0 * 4096) * 4.5 / 8, 0.02e9);
    const Outcome ran = splitscope({"run", path, "--prompt", "x"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(
        ran.err.find("8b.gguf: the file holds no weights, only their description, so there is nothing to "
                     "compute — open"),
        std::string::npos)
        << ran.err;
}

TEST(PlanCommand, EmbeddingsGenerateNoText) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "8b.gguf").string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "8b", "--header-only", "-o", path}).exit_code, 0);
    const std::vector<std::string> words = {"plan", path, "-d", "rtx-3090,epyc-9654", "-c", "2048"};
    EXPECT_NE(splitscope(words).out.find("estimated to generate "), std::string::npos);
    std::vector<std::string> embeds = words;
    embeds.insert(embeds.end(), {"--embeddings", "--pooling", "mean"});
    const std::string text = splitscope(embeds).out;
    EXPECT_EQ(text.find("estimated to generate "), std::string::npos) << text;
    EXPECT_NE(text.find("estimated to read prompts at "), std::string::npos) << text;
}

/// The buffers of a server's decode graph hold a token of every sequence.
TEST(PlanCommand, NamesTheGraphOfTheBuffers) {
    const std::vector<std::string> words = {"plan", sample_model(), "-d", "rtx-3090"};
    EXPECT_NE(splitscope(words).out.find(" for 4 tokens, one per sequence, at its peak:"), std::string::npos);
    std::vector<std::string> one = words;
    one.insert(one.end(), {"-np", "1"});
    EXPECT_EQ(splitscope(one).out.find("one per sequence"), std::string::npos);
}

/// The tensors at a peak and the gaps between them are the buffer.
TEST(PlanCommand, ListsGapsAtThePeak) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "8b.gguf").string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "8b", "--header-only", "-o", path}).exit_code, 0);
    const std::vector<std::string> plan{"plan", path, "-d", "rtx-3090", "-ngl", "20", "-c", "8192"};
    const std::string text = splitscope(plan).out;
    std::vector<std::string> as_json = plan;
    as_json.emplace_back("--json");
    const auto json = nlohmann::json::parse(splitscope(as_json).out);
    std::size_t with_gaps = 0;
    for (const char* graph : {"decode", "prompt"}) {
        for (const auto& buffer : json[graph]["compute"]) {
            std::uint64_t bytes = 0;
            for (const auto& tensor : buffer["largest"]) bytes += tensor["bytes"].get<std::uint64_t>();
            EXPECT_LE(bytes, buffer["compute_bytes"].get<std::uint64_t>());
            if (bytes > 0 && bytes < buffer["compute_bytes"].get<std::uint64_t>()) ++with_gaps;
        }
    }
    EXPECT_GT(with_gaps, 0U);
    std::size_t listed = 0;
    for (std::size_t at = 0; (at = text.find("in gaps between them", at)) != std::string::npos; ++at)
        ++listed;
    EXPECT_EQ(listed, with_gaps);
}

TEST(MakeModelCommand, ReportsInvalidShapes) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "random.gguf").string();
    const Outcome outcome = splitscope({"make-model", "--heads", "6", "-o", path});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.err.find("6 heads"), std::string::npos) << outcome.err;
    EXPECT_EQ(splitscope({"make-model", "--type", "q9", "-o", path}).exit_code, 2);
    EXPECT_EQ(splitscope({"make-model", "--preset", "1.1b", "--layers", "3", "-o", path}).exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(MakeModelCommand, RefusesShapesItsReaderRefuses) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "random.gguf").string();
    const auto made = [&path](const std::string& option, const std::string& value) {
        std::map<std::string, std::string> shape = {
            {"--layers", "1"},       {"--embedding", "2"},    {"--heads", "1"},    {"--kv-heads", "1"},
            {"--feed-forward", "1"}, {"--vocabulary", "260"}, {"--context", "64"}, {"--type", "f32"}};
        shape[option] = value;
        std::vector<std::string> arguments = {"make-model", "-o", path};
        for (const auto& [name, number] : shape) arguments.insert(arguments.end(), {name, number});
        return splitscope(arguments);
    };
    for (const auto& [option, most] : std::map<std::string, int>{{"--layers", 512},
                                                                 {"--vocabulary", 700'000},
                                                                 {"--context", 1 << 30},
                                                                 {"--feed-forward", 1 << 20}}) {
        const Outcome largest = made(option, std::to_string(most));
        ASSERT_EQ(largest.exit_code, 0) << option << largest.err;
        const Outcome read = splitscope({"inspect", path, "--json"});
        ASSERT_EQ(read.exit_code, 0) << option << read.err;
        EXPECT_TRUE(nlohmann::json::parse(read.out)["why_not_runnable"].is_null()) << option;
        const Outcome refused = made(option, std::to_string(most + 1));
        EXPECT_EQ(refused.exit_code, 2) << option;
        EXPECT_NE(refused.err.find(std::to_string(most)), std::string::npos) << refused.err;
    }
}

TEST(MakeModelCommand, KeepsOtherFilesAndPermissions) {
    const TemporaryFolder folder;
    const std::string path = folder.file("m.gguf", "old");
    const std::string part = folder.file("m.gguf.part", "precious");
    std::filesystem::permissions(path,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    const std::vector<std::string> small = {
        "make-model", "--layers",     "1",   "--embedding",    "32", "--heads", "2", "--kv-heads",
        "1",          "--vocabulary", "260", "--feed-forward", "32", "-o"};
    const auto make = [&small](const std::string& target) {
        std::vector<std::string> arguments = small;
        arguments.push_back(target);
        return splitscope(arguments);
    };
    ASSERT_EQ(make(path).exit_code, 0);
    EXPECT_EQ(read_file(part), "precious");
    EXPECT_TRUE(read_file(path).starts_with("GGUF"));
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    // The output is not seekable. Through a link, so that an error does not replace a device.
    std::filesystem::create_symlink("/dev/null", folder.path() / "null");
    const Outcome device = make((folder.path() / "null").string());
    EXPECT_EQ(device.exit_code, 0) << device.err;
    EXPECT_EQ(make((folder.path() / "missing" / "m.gguf").string()).exit_code, 2);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
}

TEST(InspectCommand, ShowsAModel) {
    const Outcome outcome = splitscope({"inspect", sample_model(), "--json"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["shape"]["layers"], 4);
    EXPECT_EQ(json["tensors"].size(), 39U);
    EXPECT_TRUE(json["why_not_runnable"].is_null());
    EXPECT_EQ(json["metadata"]["general.architecture"], "llama");
}

TEST(RunCommand, StreamsGreedyText) {
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "My father", "--tokens", "12", "--temperature", "0"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("My father was a very good-looking man")) << outcome.out;
}

TEST(RunCommand, ProfilesMemoryTrafficAndFlops) {
    const std::vector<std::string> arguments = {
        "run",        sample_model(), "--prompt",  "My father", "--tokens", "2",
        "--backends", "cpu",          "--threads", "1",         "--profile"};
    std::vector<std::string> with_json = arguments;
    with_json.emplace_back("--json");
    const Outcome outcome = splitscope(with_json);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(schema_problem(schema_named("run"), json), "");
    std::set<std::string> steps;
    for (const auto& line : json["profile"]["token"]) {
        const std::string step = line["step"];
        steps.insert(step);
        const double nanoseconds = line["nanoseconds"];
        ASSERT_TRUE(line.contains("bytes")) << line;
        EXPECT_GT(line["bytes"], 0) << line;
        EXPECT_NEAR(line["bytes_per_second"].get<double>(), line["bytes"].get<double>() * 1e9 / nanoseconds,
                    1e-6 * line["bytes_per_second"].get<double>());
        const bool moves = step == "GET_ROWS" || step == "SET_ROWS" || step == "CONT" || step == "CPY";
        EXPECT_EQ(line.contains("flops_per_second"), !moves) << line;
        EXPECT_EQ(line["flops"] == 0.0, moves) << line;
        EXPECT_LE(line["slowest_bytes"], line["bytes"]);
        EXPECT_LE(line["slowest_flops"], line["flops"]);
    }
    for (const char* step : {"GET_ROWS", "SET_ROWS", "MUL_MAT"}) EXPECT_TRUE(steps.contains(step)) << step;
    const Outcome text = splitscope(arguments);
    for (const char* title : {"Bytes", "FLOPs", "GB/s", "GFLOP/s"})
        EXPECT_NE(text.out.find(title), std::string::npos) << text.out;
}

TEST(RunCommand, RefusesInvalidNumbers) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"--temperature", "nan"},
                                               {"--top-p", "NaN"},
                                               {"--temperature", "-nan"},
                                               {"--prompt-tokens", ""}}) {
        std::vector<std::string> words = {"run", sample_model(), "-n", "1"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Outcome outcome = splitscope(words);
        EXPECT_EQ(outcome.exit_code, 2) << arguments[0] << ": " << outcome.out;
        EXPECT_EQ(outcome.out, "");
        EXPECT_NE(outcome.err.find(arguments[0]), std::string::npos) << outcome.err;
    }
}

TEST(RunCommand, ReportsAFullContext) {
    const Outcome outcome = splitscope(
        {"run", sample_model(), "--prompt", "My", "--ctx-size", "64", "-n", "1000", "--temp", "0"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.err.find("stopped: the context of 256 cells is full"), std::string::npos)
        << outcome.err;
}

TEST(RunCommand, FailsOnNanLogits) {
    const TemporaryFolder folder;
    std::string bytes = read_file(sample_model());
    // The scales of the last tensor's first rows become NaN.
    const std::string path = folder.file("nan.gguf", bytes.replace(bytes.size() - 3400, 3400, 3400, '\xFF'));
    const Outcome outcome = splitscope({"run", path, "--prompt", "My father", "-n", "4", "--temp", "0"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("stopped after 0 generated tokens: the next logits are not numbers (NaN)"),
              std::string::npos)
        << outcome.err;
}

TEST(BenchCommand, ReportsNoSpeedOfTokensThatWereNotGenerated) {
    const TemporaryFolder folder;
    std::string bytes = read_file(sample_model());
    const std::string path = folder.file("nan.gguf", bytes.replace(bytes.size() - 3400, 3400, 3400, '\xFF'));
    const std::vector<std::string> words = {"bench", path, "-p", "8", "-n", "4", "-r", "1"};
    const Outcome outcome = splitscope(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("not numbers (NaN)"), std::string::npos) << outcome.err;
    const Outcome prompt = splitscope({"bench", path, "-p", "8", "-n", "0", "-r", "1"});
    EXPECT_EQ(prompt.exit_code, 0) << prompt.err;
    EXPECT_NE(prompt.out.find("prefill"), std::string::npos);
}

TEST(RunCommand, NamesTheTokensOfTheProfiledBatch) {
    const std::vector<std::string> words = {
        "run", sample_model(), "--prompt-tokens", "300,301,302,303,304", "-ub", "2", "-n", "1", "--profile"};
    const Outcome outcome = splitscope(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("The last 1 of 5 prompt tokens"), std::string::npos) << outcome.out;
    std::vector<std::string> json = words;
    json.emplace_back("--json");
    EXPECT_EQ(nlohmann::json::parse(splitscope(json).out).at("profile").at("prompt_batch"), 1);
}

TEST(RunCommand, PrintsNothingWhenItFails) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    const Outcome outcome = splitscope(
        {"run", sample_model(), "--prompt", "My father", "-n", "4", "--dump-tensor", "no-such-node=n.npy"},
        start);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
}

TEST(RunCommand, ReadsThePromptFromStandardInput) {
    Start start;
    start.input = "My father\n";
    const Outcome outcome =
        splitscope({"run", sample_model(), "--prompt", "-", "--tokens", "4", "--temperature", "0"}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("My father was a very")) << outcome.out;
}

TEST(RunCommand, PrintsTokensAndWritesLogits) {
    const TemporaryFolder folder;
    const std::string logits = (folder.path() / "logits.bin").string();
    const Outcome outcome = splitscope({"run", sample_model(), "--prompt-tokens", "1,321,963,759", "--tokens",
                                        "4", "--json", "--logits", logits, "--quiet"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["tokens"], (nlohmann::json{307, 261, 391, 565}));
    const std::uintmax_t rows = std::filesystem::file_size(logits) / (1024 * sizeof(float));
    EXPECT_GE(rows, 4U);
}

TEST(RunCommand, InterruptKeepsPartialResults) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        SCOPED_TRACE(signal);
        const TemporaryFolder folder;
        const std::string logits = (folder.path() / "logits.bin").string();
        Start start;
        start.sigint = std::chrono::milliseconds(20);
        start.after = " ";  // tokens after the prompt
        start.signal = signal;
        const Outcome outcome = splitscope({"run", sample_model(), "--prompt", "I", "--tokens", "1000000",
                                            "--context", "65536", "--logits", logits},
                                           start);
        EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
        EXPECT_TRUE(std::filesystem::exists(logits));
    }
}

TEST(MakeModelCommand, InterruptLeavesNoFile) {
    const TemporaryFolder folder;
    Start start;
    start.sigint = std::chrono::milliseconds(300);
    const std::string model = (folder.path() / "m.gguf").string();
    const Outcome outcome = splitscope({"make-model", "--preset", "1.1b", "-o", model}, start);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RunCommand, SeedsAreWholeNumbers) {
    for (const char* seed : {"-1", "18446744073709551616", "1.5", "x", ""})
        EXPECT_EQ(splitscope({"run", sample_model(), "--prompt", "My", "-n", "1", "--seed", seed}).exit_code,
                  2)
            << seed;
    const Outcome largest =
        splitscope({"run", sample_model(), "--prompt", "My", "-n", "1", "--seed", "18446744073709551615"});
    EXPECT_EQ(largest.exit_code, 0) << largest.err;
}

TEST(RunCommand, NotesSwitchesForSeveralSequences) {
    const Outcome one = splitscope({"run", sample_model(), "--prompt", "My", "-n", "1"});
    EXPECT_EQ(one.err.find("has no effect"), std::string::npos) << one.err;
    const Outcome several =
        splitscope({"run", sample_model(), "--prompt", "My", "-n", "1", "-np", "4", "-no-kvu"});
    EXPECT_EQ(several.exit_code, 0) << several.err;
    EXPECT_EQ(several.out, one.out);
    for (const char* name : {"--parallel", "--kv-unified"})
        EXPECT_NE(several.err.find(std::string(name) + " has no effect"), std::string::npos) << several.err;
}

TEST(BenchCommand, KeepsAGivenContext) {
    const std::vector<std::string> bench = {"bench", sample_model(), "-p", "8",     "-n",
                                            "4",     "-r",           "1",  "--json"};
    EXPECT_EQ(splitscope(bench).exit_code, 0);
    for (const auto& [cells, code] : std::map<std::string, int>{{"11", 2}, {"12", 0}}) {
        std::vector<std::string> given = bench;
        given.insert(given.end(), {"-c", cells});
        const Outcome outcome = splitscope(given);
        EXPECT_EQ(outcome.exit_code, code) << cells << outcome.err;
    }
}

TEST(ReportCommand, WritesASelfContainedPage) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "report.html").string();
    const Outcome outcome = splitscope({"report", sample_model(), "-o", file, "--run", "--tokens", "2"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string page = read_file(file);
    EXPECT_EQ(markup_problem(page), "");
    EXPECT_EQ(first_load(page), "");
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_NE(page.find("My father"), std::string::npos);
    EXPECT_EQ(page.find(SPLITSCOPE_SOURCE_DIR), std::string::npos);
}

TEST(ReportCommand, IsReproducible) {
    const Outcome first = splitscope({"report", sample_model()});
    const Outcome second = splitscope({"report", sample_model()});
    EXPECT_EQ(first.exit_code, 0);
    EXPECT_EQ(first.out, second.out);
}

TEST(ReportCommand, AcceptsTheSectionsThatItsHelpLists) {
    const std::string help = splitscope({"report", "--help"}).out;
    const std::string begin = "Sections to write, separated by commas: ";
    const auto at = help.find(begin);
    ASSERT_NE(at, std::string::npos) << help;
    std::string names = help.substr(at + begin.size());
    names.resize(std::min(names.size(), names.find('\n')));
    std::erase(names, ' ');
    EXPECT_GE(std::ranges::count(names, ','), 8) << names;
    const Outcome outcome = splitscope({"report", sample_model(), "--sections", names, "--format", "md"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST(ReportCommand, WritesEveryFormat) {
    const TemporaryFolder folder;
    for (const char* name : {"r.md", "r.json", "r.csv", "r.trace.json"}) {
        const std::string file = (folder.path() / name).string();
        const Outcome outcome = splitscope({"report", sample_model(), "--run", "--tokens", "1", "-o", file});
        EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
        EXPECT_GT(read_file(file).size(), 500U) << name;
    }
    EXPECT_FALSE(nlohmann::json::parse(read_file(folder.path() / "r.trace.json"))["traceEvents"].empty());
}

TEST(CompareCommand, ExitCodeReportsADifference) {
    const Outcome different = splitscope({"compare", sample_model(), "2024-10", "2026-08", "--json"});
    EXPECT_EQ(different.exit_code, 1) << different.err;
    EXPECT_FALSE(nlohmann::json::parse(different.out)["same"].get<bool>());
    const Outcome same = splitscope({"compare", sample_model(), "2026-08", "2026-08"});
    EXPECT_EQ(same.exit_code, 0) << same.err;
}

/// Missing switches have the defaults of the generation named first.
TEST(CompareCommand, AgreesWithScheduleAndReport) {
    for (const auto& [a, b] : {std::pair("2024-10", "2026-08"), std::pair("2026-08", "2024-10")}) {
        SCOPED_TRACE(a);
        const auto compared =
            nlohmann::json::parse(splitscope({"compare", sample_model(), a, b, "--json"}).out);
        const auto reported =
            nlohmann::json::parse(splitscope({"report", sample_model(), "--generation", a, "--compare", b,
                                              "--sections", "comparison", "--format", "json"})
                                      .out);
        const auto& sides = reported["tables"][0]["rows"];
        ASSERT_EQ(sides.size(), 2U) << reported["tables"][0];
        EXPECT_EQ(compared["a"]["splits"], sides[0][1]);
        EXPECT_EQ(compared["b"]["buffer_bytes"], sides[1][3]);
        EXPECT_EQ(compared["a"]["copied_bytes"], sides[0][2]);
        EXPECT_NE(compared["switches"].get<std::string>().find("-c 256"), std::string::npos)
            << compared["switches"];
    }
}

TEST(CompareCommand, ListsOnlyMovedTensors) {
    const std::vector<std::string> command = {"compare", sample_model(), "2024-01", "2024-10", "--gpu-layers",
                                              "2",       "--json"};
    const auto all = nlohmann::json::parse(splitscope(command).out);
    std::vector<std::string> moved_only = command;
    moved_only.emplace_back("--only-moved");
    const auto moved = nlohmann::json::parse(splitscope(moved_only).out);
    EXPECT_EQ(all["graph_of"], "2024-01");
    EXPECT_EQ(moved["tensors"].size(), all["elsewhere"].get<std::size_t>());
    EXPECT_GT(all["tensors"].size(), moved["tensors"].size());
    EXPECT_EQ(moved["same"], all["same"]);
    EXPECT_TRUE(std::ranges::any_of(all["tensors"], [](const auto& tensor) {
        return tensor["b"].is_object() && !tensor["b"]["evidence"].template get<std::string>().empty();
    }));
}

TEST(Commands, ScheduleForThisComputer) {
    for (const char* command : {"schedule", "report", "lint"}) {
        const Outcome outcome = splitscope({command, sample_model(), "--device", "this"});
        EXPECT_EQ(outcome.exit_code, 0) << command << ": " << outcome.err;
        EXPECT_EQ(splitscope({command, sample_model(), "--device", "this,rtx-3090"}).exit_code, 2);
    }
    // Without devices, a GPU is simulated.
    EXPECT_NE(splitscope({"schedule", sample_model()}).out.find("GPU0"), std::string::npos);
    const auto json = [](const char* command) {
        return nlohmann::json::parse(splitscope({command, sample_model(), "--device", "this", "--json"}).out);
    };
    const std::string shown = splitscope({"schedule", sample_model(), "--device", "this"}).out;
    EXPECT_EQ(shown.find("GPU0"), std::string::npos) << shown;
    const nlohmann::json devices = json("plan")["devices"];
    for (const nlohmann::json& split : json("schedule")["splits"]) {
        const auto backend = split["backend"].get<std::size_t>();
        ASSERT_LT(backend, devices.size());
        EXPECT_NE(shown.find(devices[backend]["name"].get<std::string>()), std::string::npos) << shown;
    }
}

TEST(Commands, RateOfGeneratedTokensExcludesTheFirst) {
    const std::vector<std::string> words = {"run", sample_model(), "--prompt", "One", "--temperature", "0"};
    const auto with = [&](const char* tokens) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--tokens", tokens});
        return splitscope(all).err;
    };
    EXPECT_NE(with("1").find("; generated: 1 token\n"), std::string::npos) << with("1");
    EXPECT_NE(with("4").find("; generated: 4 tokens, 3 of them in "), std::string::npos) << with("4");
}

TEST(Commands, ReportExplainsItsExitCode) {
    const TemporaryFolder folder;
    const std::string machine = folder.file(
        "m.machine.json", R"({"format":"splitscope-machine","version":1,"name":"CPU","buffer_types":[)"
                          R"({"name":"CPU","alignment":32,"max_size":null,"is_host":true}],"buffers":[],)"
                          R"("backends":[{"name":"CPU","device":"cpu","kind":null,"buffer_type":"CPU",)"
                          R"("supports_buffer_types":["CPU"],"unsupported_ops":[],"unsupported_types":[],)"
                          R"("offload_min_batch":null,"async":false,"events":false}],)"
                          R"("scheduler":{"parallel":false,"op_offload":true},"assignments":[]})");
    const Outcome outcome = splitscope({"report", sample_model(), "--machine", machine, "--format", "md",
                                        "-o", (folder.path() / "r.md").string()});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("known"), std::string::npos) << outcome.err;
    EXPECT_NE(splitscope({"report", "--help"}).out.find("Exit code 1"), std::string::npos);
}

TEST(CompareCommand, ComputesWithBlasOrReportsWhyNot) {
    const Outcome outcome = splitscope({"compare", "--backends", "blas,cpu", sample_model(), "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["tested"], "BLAS");
    EXPECT_EQ(json["reference"], "CPU");
    EXPECT_GT(json["compared"], 10);
    // The CPU rounds what it multiplies with, BLAS does not.
    const Outcome first =
        splitscope({"compare", "--backends", "blas,cpu", sample_model(), "--tolerance", "0", "--first"});
    EXPECT_EQ(first.exit_code, 1);
    EXPECT_NE(first.out.find(", 1 exceeds its tolerance"), std::string::npos) << first.out;
    EXPECT_NE(first.out.find("256 × 48"), std::string::npos) << first.out;
    const Outcome refused =
        splitscope({"compare", "--backends", "blas,cpu", sample_model(), "--prompt", "My father"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(refused.err.find("give a prompt of 32 tokens or more"), std::string::npos) << refused.err;
}

TEST(CompareCommand, ComputesGivenTokens) {
    const auto compare = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"compare", "--backends", "cpu,cpu", sample_model()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splitscope(arguments);
    };
    const Outcome outcome = compare({"--prompt-tokens", "1,321,963", "--json"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("prompt of 3 tokens"), std::string::npos) << outcome.out;
    EXPECT_EQ(compare({"--prompt-tokens", ""}).exit_code, 2);
    EXPECT_EQ(compare({"--prompt-tokens", "1", "--prompt", "My"}).exit_code, 2);
    EXPECT_NE(compare({"--prompt-tokens", "1000000"}).err.find("token 1000000 is not in the vocabulary"),
              std::string::npos);
}

TEST(DevicesCommand, ListsTheCpu) {
    const Outcome outcome = splitscope({"devices", "--json"});
    EXPECT_EQ(outcome.exit_code, 0);
    const auto devices = nlohmann::json::parse(outcome.out)["devices"];
    // The CPU is the last backend of a machine, after any accelerators.
    EXPECT_EQ(devices.back()["kind"], "cpu");
}

/// A machine file of presets stands for them in a plan.
TEST(DevicesCommand, WritesTheMachineFileOfPresets) {
    const TemporaryFolder folder;
    const std::string model = (folder.path() / "8b.gguf").string();
    ASSERT_EQ(splitscope({"make-model", "--preset", "8b", "--type", "q4_K", "--header-only", "-o", model})
                  .exit_code,
              0);
    const std::string presets = "rtx-4060-laptop:6.5,rx-7900-xtx,epyc-9654";
    const std::string machine = (folder.path() / "mine.machine.json").string();
    const Outcome written = splitscope({"devices", "--device", presets, "-o", machine});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    EXPECT_EQ(splitscope({"devices", "--device", presets}).out, read_file(machine));
    const Outcome of_file = splitscope({"plan", model, "--machine", machine, "-c", "8192", "--json"});
    const Outcome of_presets = splitscope({"plan", model, "--device", presets, "-c", "8192", "--json"});
    ASSERT_EQ(of_file.exit_code, of_presets.exit_code) << of_file.err;
    EXPECT_EQ(of_file.out, of_presets.out);

    EXPECT_EQ(splitscope({"devices", "-o", machine}).exit_code, 2);
    const Outcome unknown = splitscope({"devices", "--device", "rtx-4061"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_NE(unknown.err.find("rtx-4061"), std::string::npos) << unknown.err;
}

TEST(CompletionsCommand, ListsEveryCommandAndOption) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Outcome outcome = splitscope({"completions", shell});
        EXPECT_EQ(outcome.exit_code, 0) << shell;
        for (const char* word : {"schedule", "gpu-layers", "prompt-tokens", "completions"}) {
            EXPECT_NE(outcome.out.find(word), std::string::npos) << shell << " " << word;
        }
    }
    EXPECT_EQ(splitscope({"completions", "cmd"}).exit_code, 2);
}

TEST(Program, ReportsOnTheSampleWithoutADisplay) {
    const TemporaryFolder folder;
    Start start;
    start.folder = folder.path();
    const Outcome outcome = splitscope({}, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("splitscope-sample-q8_0-report.html"), std::string::npos) << outcome.out;
    EXPECT_EQ(markup_problem(read_file(folder.path() / "splitscope-sample-q8_0-report.html")), "");
}

TEST(Program, HelpIsACommandToo) {
    EXPECT_EQ(splitscope({"help"}).out, splitscope({"--help"}).out);
    EXPECT_EQ(splitscope({"help", "plan"}).out, splitscope({"plan", "--help"}).out);
    const Outcome misspelt = splitscope({"help", "plann"});
    EXPECT_EQ(misspelt.exit_code, 2);
    EXPECT_NE(misspelt.err.find("plan"), std::string::npos) << misspelt.err;
}

TEST(Program, HelpHasNoNotationOfTheParser) {
    const std::string help = splitscope({"plan", "--help"}).out;
    for (const char* notation : {"{false}", ":INT", ":UINT", ":FLOAT"})
        EXPECT_EQ(help.find(notation), std::string::npos) << notation;
    EXPECT_NE(help.find("--kv-unified,--no-kv-unified\n"), std::string::npos) << help;
}

TEST(Program, HasHelpForEveryCommand) {
    for (const char* command : {"inspect", "schedule", "run", "report", "compare", "devices"}) {
        const Outcome outcome = splitscope({command, "--help"});
        EXPECT_EQ(outcome.exit_code, 0) << command;
        EXPECT_NE(outcome.out.find("Usage: splitscope " + std::string(command)), std::string::npos)
            << outcome.out;
    }
    EXPECT_TRUE(splitscope({"--version"}).out.starts_with("splitscope "));
}

}  // namespace
}  // namespace splitscope::test
