// SPDX-License-Identifier: MIT
// The reference engine's results of small models: golden/logits, golden/node-values and golden/tokenizer, and
// its graphs in golden/captures.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/recorded_logits.hpp"

namespace splitscope::golden {
namespace {

using nlohmann::json;

std::string from_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

TEST(Golden, Logits) {
    const auto data_folder = folder("logits");
    if (!data_folder) GTEST_SKIP() << absent("logits");
    Score score;
    Score tokens;
    const json document = read_json(*data_folder / "logits.json");
    for (const json& recorded : document["cases"]) {
        auto file = open_file(root() / recorded["model"].get<std::string>());
        const LogitsDifference difference =
            logits_difference(recorded, *data_folder, recorded_settings(std::move(file)));
        score.add(difference.text.empty());
        EXPECT_EQ(difference.text, "") << recorded["name"];
        if (difference.near_ties > 0) fmt::print("near tie: {}\n", recorded["name"].get<std::string>());
        if (recorded["kind"] == "embeddings") continue;
        tokens.total += difference.rows;
        tokens.matched += difference.rows - difference.near_ties;
    }
    report("logits", score);
    report("greedy tokens", tokens);
}

/// The graphs of older generations compute the same.
TEST(Golden, LogitsOfOlderGenerations) {
    const auto data_folder = folder("logits");
    if (!data_folder) GTEST_SKIP() << absent("logits");
    const json document = read_json(*data_folder / "logits.json");
    for (const Generation generation : {Generation::g2024_01, Generation::g2024_10, Generation::g2025_06}) {
        Score score;
        for (const json& recorded : document["cases"]) {
            auto file = open_file(root() / recorded["model"].get<std::string>());
            const std::string architecture = file->model->shape().architecture;
            const bool only_newest = architecture == "gpt-oss" || architecture == "mamba";
            if (only_newest || nmse_limit(file->model->file()) > kF16Limit) continue;
            const std::string difference =
                logits_difference(recorded, *data_folder, recorded_settings(std::move(file), generation))
                    .text;
            score.add(difference.empty());
            EXPECT_EQ(difference, "") << recorded["name"] << " " << name_of(generation);
        }
        report(fmt::format("logits by {}", name_of(generation)), score);
    }
}

/// Flash attention computes the same numbers in another way.
TEST(Golden, LogitsByFlashAttention) {
    const auto data_folder = folder("logits");
    if (!data_folder) GTEST_SKIP() << absent("logits");
    const json document = read_json(*data_folder / "logits.json");
    Score score;
    for (const json& recorded : document["cases"]) {
        Session session = recorded_settings(open_file(root() / recorded["model"].get<std::string>()));
        if (nmse_limit(session.file->model->file()) > kF16Limit) continue;
        session.model_options.flash_attention = true;
        const std::string difference = logits_difference(recorded, *data_folder, session).text;
        score.add(difference.empty());
        EXPECT_EQ(difference, "") << recorded["name"];
    }
    report("logits by flash attention", score);
}

/// The difference between a recorded node and the computed one, if any.
std::string node_difference(const json& recorded, const std::vector<char>& data, const Graph& graph,
                            TensorId id, std::span<const std::byte> bytes, bool numbers_differ) {
    const Tensor& t = graph[id];
    const auto ne = recorded["ne"].get<Shape>();
    const std::string name = recorded["name"];
    const bool both_numbered = t.name.starts_with("node_") && name.starts_with("node_");
    if (t.name != name && !(numbers_differ && both_numbered)) return fmt::format("is called '{}'", t.name);
    if (t.ne != ne) return fmt::format("shape {}, not {}", fmt::join(t.ne, "x"), fmt::join(ne, "x"));
    const char* expected = data.data() + recorded["offset"].get<std::size_t>();
    if (t.type != ElementType::f32)
        return std::memcmp(expected, bytes.data(), bytes.size()) == 0 ? "" : "other values";
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
        float ours = 0;
        float theirs = 0;
        std::memcpy(&ours, bytes.data() + i, sizeof(float));
        std::memcpy(&theirs, expected + i, sizeof(float));
        const double difference = static_cast<double>(ours) - static_cast<double>(theirs);
        error += difference * difference;
        power += static_cast<double>(theirs) * static_cast<double>(theirs);
    }
    // Soft caps and GELU are approximated slightly differently, which affects later nodes.
    constexpr double kLimit = 1e-6;
    return error <= kLimit * power ? "" : fmt::format("NMSE {:.3g}", error / power);
}

TEST(Golden, NodeValues) {
    const auto data_folder = folder("node-values");
    if (!data_folder) GTEST_SKIP() << absent("node-values");
    Score score;
    for (const auto& entry : std::filesystem::directory_iterator(*data_folder)) {
        if (entry.path().extension() != ".json") continue;
        const json recorded = read_json(entry.path());
        const auto file = open_file(root() / recorded["model"].get<std::string>());
        std::ifstream stream(*data_folder / recorded["file"].get<std::string>(), std::ios::binary);
        const std::vector<char> data((std::istreambuf_iterator<char>(stream)), {});
        const json& nodes = recorded["nodes"];
        std::size_t next = 0;
        std::string first;
        Session session = recorded_settings(file);
        session.model_options.gpu_layers = 0;
        int copies = 0;
        RunObserver observer;
        observer.on_node = [&](const Analysis& analysis, TensorId id, std::span<const std::byte> bytes) {
            const Graph& graph = *analysis.graph;
            const Op op = graph[id].op;
            if (op == Op::set_rows || op == Op::cpy || !first.empty()) return;
            while (next < nodes.size() && nodes[next]["ne"][1] == 0) ++next;  // of no elements
            if (next == nodes.size()) {
                first = fmt::format("more nodes than recorded: {}", graph[id].name);
                return;
            }
            // Later builds (those of golden/archs) copy the step size of mamba first, which shifts the
            // numbers in the names of later nodes.
            if (op == Op::cont && nodes[next]["op"] == "MUL_MAT" &&
                session.file->model->shape().architecture == "mamba") {
                ++copies;
                return;
            }
            const std::string difference = node_difference(nodes[next], data, graph, id, bytes, copies > 0);
            if (!difference.empty())
                first =
                    fmt::format("node {} '{}': {}", next, nodes[next]["name"].get<std::string>(), difference);
            ++next;
        };
        RunOptions options;
        options.prompt_tokens = recorded["tokens"].get<std::vector<std::int32_t>>();
        options.tokens = 1;
        options.threads = 1;
        options.stop_at_end = false;
        run_model(session, options, observer);
        if (first.empty() && next != nodes.size()) first = fmt::format("{} of {} nodes", next, nodes.size());
        EXPECT_EQ(first, "") << entry.path().filename();
        score.add(first.empty());
    }
    report("node-values", score);
}

TEST(Golden, Tokenizer) {
    const auto data_folder = folder("tokenizer");
    if (!data_folder) GTEST_SKIP() << absent("tokenizer");
    std::size_t vocabularies = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*data_folder)) {
        if (entry.path().extension() != ".json") continue;
        const json recorded = read_json(entry.path());
        const auto file = GgufFile::open(root() / "models" / (entry.path().stem().string() + ".gguf"));
        const auto tokenizer = make_tokenizer(*file);
        Score score;
        for (const json& text : recorded["cases"]) {
            const auto expected = text["tokens"].get<std::vector<std::int32_t>>();
            const auto ours =
                tokenizer->encode(from_hex(text["text_hex"]), {text["add_special"], text["parse_special"]});
            EXPECT_EQ(ours, expected) << text;
            const std::string back = tokenizer->decode(expected, true);
            EXPECT_EQ(back, from_hex(text["detokenized_hex"])) << text;
            score.add(ours == expected && back == from_hex(text["detokenized_hex"]));
        }
        std::int32_t id = 0;
        for (const json& piece : recorded["pieces_hex"]) {
            EXPECT_EQ(tokenizer->piece(id, true), from_hex(piece)) << id;
            ++id;
        }
        report("tokenizer " + entry.path().stem().string(), score);
        ++vocabularies;
    }
    EXPECT_GT(vocabularies, 0U);
}

}  // namespace
}  // namespace splitscope::golden
