// SPDX-License-Identifier: MIT
// Graphs that unmodified llama.cpp reserves for the models of golden/archs: the recording has the engine's
// nodes and splits.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/attach/attached_program.hpp"
#include "tests/cli/process.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/recorder/marked_models.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The engine's figures of a run with these flags, for the prompt and for one token.
struct Figures {
    std::size_t nodes = 0;
    std::size_t splits = 0;
};
std::optional<std::vector<Figures>> recorded_figures(const json& model, const std::string& backends,
                                                     const std::string& flags) {
    for (const json& run : model.at("runs")) {
        if (run.at("backends") != backends || run.at("flags") != flags || run.contains("error")) continue;
        std::vector<Figures> figures;
        for (const char* graph : {"prompt", "decode"})
            figures.push_back({run.at("nodes").at(graph), run.at("splits").at(graph)});
        return figures;
    }
    return std::nullopt;
}

using Environment = std::vector<std::pair<std::string, std::string>>;

/// How the engine was run, and how the host is to run it.
struct Way {
    std::string flags;
    std::string layers;
    Environment environment;
};

/// A model and the engine's figures.
struct Case {
    std::string name;
    fs::path model;
    std::string layers;
    std::vector<Figures> expected;
};

/// Loading a device's driver takes longer than a model, so a program loads several. The debugger drops
/// the oldest graphs of a program, so that not all models can share one.
constexpr std::size_t kModelsPerProgram = 10;

/// The header with holes instead of weights.
void write_model(const fs::path& header, std::uintmax_t bytes, const fs::path& to) {
    fs::copy_file(header, to, fs::copy_options::overwrite_existing);
    fs::resize_file(to, std::max(bytes, fs::file_size(header)));
}

class ArchRecordings : public ::testing::Test {
 protected:
    static void SetUpTestSuite() {
        const std::string command =
            std::string(SPLITSCOPE_INSTALL_REFERENCE) + " '" + SPLITSCOPE_REFERENCE_FOLDER + "'";
        if (std::system(command.c_str()) != 0)
            GTEST_LOG_(WARNING) << "the reference engine was not installed";
        ::setenv("GGML_VK_VISIBLE_DEVICES", "0", 1);
    }

    static std::optional<fs::path> libraries(const std::string& package) {
        const fs::path folder = fs::path(SPLITSCOPE_REFERENCE_FOLDER) / "node_modules/@node-llama-cpp" /
                                package / "bins" / package;
        if (!fs::exists(folder / "libggml-base.so")) return std::nullopt;
        return folder;
    }

    /// The graphs that a program reserves for each of the models, prompt first.
    static std::vector<std::vector<Figures>> reserved(const fs::path& engine, std::span<const Case> cases,
                                                      const Environment& environment) {
        AttachOptions options;
        options.program = {(fs::path(SPLITSCOPE_PROGRAMS) / "reference_host").string(), engine.string()};
        for (const Case& one : cases)
            options.program.insert(options.program.end(), {one.model.string(), one.layers, "0"});
        options.output = ProgramOutput::kept;
        options.environment = environment;
        options.environment.emplace_back("REFERENCE_HOST_MARKERS", "1");
        AttachedProgram program(options);
        program.wait_for_stop(0);
        std::vector<std::vector<Figures>> figures;
        const auto models =
            by_model(program.graphs(), [](const auto& graph) -> const Graph& { return *graph->graph; });
        for (const auto& graphs : models) {
            figures.emplace_back();
            for (const auto& graph : graphs) {
                if (graph->purpose != "reserve") continue;
                figures.back().push_back(
                    {graph->graph->nodes.size(), graph->captured->recorded.splits.size()});
            }
        }
        return figures;
    }

    /// Compares the engine's figures with those of the cases, recorded in one program.
    static void compare_together(const fs::path& engine, std::span<const Case> cases,
                                 const Environment& environment, golden::Score& score) {
        const std::vector<std::vector<Figures>> made = reserved(engine, cases, environment);
        ASSERT_EQ(made.size(), cases.size()) << "models before the program ended";
        for (std::size_t i = 0; i < cases.size(); ++i) {
            for (std::size_t g = 0; g < cases[i].expected.size(); ++g) {
                const Figures& theirs = cases[i].expected[g];
                const auto same = [&](const Figures& f) {
                    return f.nodes == theirs.nodes && f.splits == theirs.splits;
                };
                const bool found = std::ranges::any_of(made[i], same);
                EXPECT_TRUE(found) << cases[i].name << (g == 0 ? " prompt: " : " decode: ") << theirs.nodes
                                   << " nodes, " << theirs.splits << " splits";
                score.add(found);
            }
        }
    }

    void compare(const std::string& package, const std::string& backends,
                 const std::function<Way(const json& facts)>& way_of, std::size_t least) {
        const auto archs = golden::folder("archs");
        if (!archs) GTEST_SKIP() << golden::absent("archs");
        const auto engine = libraries(package);
        if (!engine) GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(*archs))
            if (entry.path().extension() == ".gguf") files.push_back(entry.path());
        std::ranges::sort(files);
        const TemporaryFolder folder;
        std::map<Environment, std::vector<Case>> cases;
        std::size_t models = 0;
        for (const fs::path& file : files) {
            std::ifstream text(fs::path(file).replace_extension(".json"));
            const json facts = json::parse(text);
            Way way = way_of(facts);
            auto expected = recorded_figures(facts, backends, way.flags);
            if (!expected) {
                // Models that only embed.
                expected = recorded_figures(facts, backends, way.flags + " --embeddings");
                way.environment.emplace_back("REFERENCE_HOST_EMBEDDINGS", "1");
            }
            if (!expected) continue;
            ++models;
            const fs::path model = folder.path() / file.filename();
            write_model(file, facts.at("file_bytes").get<std::uintmax_t>(), model);
            cases[way.environment].push_back({file.stem().string(), model, way.layers, *expected});
        }
        golden::Score score;
        for (const auto& [environment, all] : cases) {
            for (std::size_t begin = 0; begin < all.size(); begin += kModelsPerProgram) {
                const std::size_t count = std::min(kModelsPerProgram, all.size() - begin);
                compare_together(*engine, std::span(all).subspan(begin, count), environment, score);
            }
        }
        fmt::print("{} of {} models\n", models, files.size());
        golden::report("recorded " + backends, score);
        EXPECT_GE(models, least) << "models with a run of the engine";
    }
};

// The engine itself ends with an assertion for plm, in all runs.
constexpr std::size_t kModels = 150;

TEST_F(ArchRecordings, MatchEngineNodesAndSplitsOnCpu) {
    const auto cpu = [](const json&) { return Way{"-c 512", "0", {}}; };
    compare("linux-x64", "cpu", cpu, kModels);
}

TEST_F(ArchRecordings, MatchEngineNodesAndSplitsOnTwoDevices) {
    const auto half = [](const json& facts) {
        const std::string layers = std::to_string(facts.at("half_ngl").get<int>());
        return Way{fmt::format("-ngl {} -c 512", layers), layers, {}};
    };
    compare("linux-x64-vulkan", "vk", half, kModels);
}

TEST_F(ArchRecordings, HaveTheNodesAndSplitsWithExpertsOnTheCpu) {
    const auto experts = [](const json&) {
        return Way{"--no-mmap -ngl 99 -ncmoe 1 -c 512", "99", {{"REFERENCE_HOST_EXPERTS", "1"}}};
    };
    constexpr std::size_t kWithExperts = 58;
    compare("linux-x64-vulkan", "vk", experts, kWithExperts);
}

/// They mark what is left out with negative infinities.
TEST_F(ArchRecordings, MasksAreFinite) {
    const auto archs = golden::folder("archs");
    if (!archs) GTEST_SKIP() << golden::absent("archs");
    const auto engine = libraries("linux-x64");
    if (!engine) GTEST_SKIP() << "NO REFERENCE ENGINE: the registry is out of reach";
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "model.gguf";
    std::ifstream text(*archs / "minimax-m3-moe.json");
    write_model(*archs / "minimax-m3-moe.gguf", json::parse(text).at("file_bytes").get<std::uintmax_t>(),
                model);
    const std::vector<std::string> host = {(fs::path(SPLITSCOPE_PROGRAMS) / "reference_host").string(),
                                           engine->string(), model.string(), "0", "2"};
    const auto attach = [&host](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), host.begin(), host.end());
        return splitscope(arguments);
    };
    const Outcome outcome = attach({"attach", "--first-nan", "--json", "--"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(json::parse(outcome.out)["not_finite"], false);
    const Outcome mask = attach({"attach", "--break", "attn_inp_kq_mask*", "--stops", "1", "--json", "--"});
    const json stop = json::parse(mask.out)["stops"][0];
    EXPECT_GT(stop["tensors"][0]["infinite"], 0);
}

}  // namespace
}  // namespace splitscope::test
