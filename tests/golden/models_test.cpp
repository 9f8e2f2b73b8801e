// SPDX-License-Identifier: MIT
// What the reference engine computed with small models: golden/logits, golden/tokenizer, and the graphs it
// built for them in golden/captures.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/graph_json.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& path) {
    return json::parse(read_text_file(path));
}

std::string from_hex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

std::vector<std::vector<float>> read_rows(const std::filesystem::path& path, std::size_t rows,
                                          std::size_t columns) {
    std::vector<std::vector<float>> out(rows, std::vector<float>(columns));
    std::ifstream file(path, std::ios::binary);
    for (auto& row : out) {
        file.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(columns * sizeof(float)));
    }
    EXPECT_TRUE(file.good()) << path;
    return out;
}

double nmse(const std::vector<float>& ours, const std::vector<float>& recorded) {
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const double difference = static_cast<double>(ours[i]) - static_cast<double>(recorded[i]);
        error += difference * difference;
        power += static_cast<double>(recorded[i]) * static_cast<double>(recorded[i]);
    }
    return error / power;
}

constexpr double kF16Limit = 1e-5;

/// Limits of the golden README: activations are rounded like the weights, so noise grows with their
/// coarseness.
double nmse_limit(const GgufFile& file) {
    double limit = 1e-9;
    for (const GgufTensor& tensor : file.tensors()) {
        const double own = tensor.type == ElementType::f32    ? 1e-9
                           : tensor.type == ElementType::f16  ? kF16Limit
                           : tensor.type == ElementType::bf16 ? 5e-4
                                                              : 5e-3;
        limit = std::max(limit, own);
    }
    return limit;
}

Session recorded_settings(std::shared_ptr<const OpenedFile> file) {
    Session session = default_session(std::move(file));
    session.model_options.context = 256;
    session.model_options.cache_type = ElementType::f32;
    return session;
}

/// What differs from the recorded logits and greedy tokens, or nothing.
std::string logits_difference(const json& recorded, const std::filesystem::path& data_folder,
                              std::shared_ptr<const OpenedFile> file) {
    const auto greedy = recorded["greedy_tokens"].get<std::vector<std::int32_t>>();
    const auto rows =
        read_rows(data_folder / recorded["file"].get<std::string>(), recorded["rows"], recorded["columns"]);
    RunOptions options;
    options.prompt_tokens = recorded["prompt_tokens"].get<std::vector<std::int32_t>>();
    options.forced_tokens.assign(greedy.begin(), greedy.end() - 1);
    options.tokens = static_cast<std::uint32_t>(greedy.size());
    options.threads = 2;
    options.stop_at_end = false;
    RunObserver observer;
    observer.want_logits = true;
    const double limit = nmse_limit(file->model->file());
    const RunResult result = run_model(recorded_settings(std::move(file)), options, observer);
    if (result.logits.size() != rows.size())
        return fmt::format("{} rows, not {}", result.logits.size(), rows.size());
    const auto margins = recorded["top1_margin"].get<std::vector<double>>();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        // Two tokens this close may change places with the rounding of quantised activations.
        const auto best = std::ranges::max_element(result.logits[i]) - result.logits[i].begin();
        const bool near_tie = margins[i] < 0.02 && limit > kF16Limit;
        if (best != greedy[i] && !near_tie)
            return fmt::format("row {}: token {} instead of {}", i, best, greedy[i]);
        const double error = nmse(result.logits[i], rows[i]);
        if (!(error <= limit)) return fmt::format("row {}: NMSE {:.3g} above {:.3g}", i, error, limit);
    }
    return {};
}

TEST(Golden, Logits) {
    const auto data_folder = folder("logits");
    if (!data_folder) GTEST_SKIP() << absent("logits");
    Score score;
    const json document = read_json(*data_folder / "logits.json");
    for (const json& recorded : document["cases"]) {
        std::string difference;
        try {
            auto file = open_file(root() / recorded["model"].get<std::string>());
            difference = logits_difference(recorded, *data_folder, std::move(file));
        } catch (const Error& error) {
            // An architecture that cannot be built or run is not matched, and said so.
            fmt::print("not matched: {}\n", error.what());
            score.add(false);
            continue;
        }
        score.add(difference.empty());
        EXPECT_EQ(difference, "") << recorded["name"];
    }
    report("logits", score);
}

TEST(Golden, Tokenizer) {
    const auto data_folder = folder("tokenizer");
    if (!data_folder) GTEST_SKIP() << absent("tokenizer");
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
    }
}

/// A graph with what its tensors are called replaced by where they stand, so that two graphs can be compared.
std::string describe_tensor(const Graph& graph, const std::vector<std::string>& positions, TensorId id) {
    const Tensor& t = graph[id];
    std::string text = fmt::format("{} {} {} ne {} nb {} flags {} params {} offset {}", t.name, name_of(t.op),
                                   name_of(t.type), fmt::join(t.ne, ","), fmt::join(t.nb, ","),
                                   static_cast<int>(t.flags), fmt::join(t.op_params, ","), t.view_offs);
    for (const TensorId source : t.src) text += " " + (source.valid() ? positions[source.index()] : "-");
    return text + " view " + (t.is_view() ? positions[t.view_src.index()] : "-");
}

std::vector<std::string> describe_graph(const Graph& graph) {
    std::vector<std::string> positions(graph.tensors.size(), "unlisted");
    for (std::size_t i = 0; i < graph.leafs.size(); ++i)
        positions[graph.leafs[i].index()] = fmt::format("leaf {}", i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        positions[graph.nodes[i].index()] = fmt::format("node {}", i);
    std::vector<std::string> lines;
    for (const TensorId id : graph.leafs) lines.push_back(describe_tensor(graph, positions, id));
    for (const TensorId id : graph.nodes) lines.push_back(describe_tensor(graph, positions, id));
    return lines;
}

TEST(Golden, ModelGraphs) {
    const auto captures = folder("captures");
    if (!captures) GTEST_SKIP() << absent("captures");
    const auto file = open_file(root() / "models" / "stories260K.gguf");
    ModelPlacement placement;
    placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("weights"); };
    placement.cache_buffer = [](std::int32_t) { return std::string("cache"); };
    Score score;
    for (const bool flash : {false, true}) {
        for (const bool prompt : {false, true}) {
            const auto path =
                *captures /
                fmt::format("stories260K{}.cpu.{}", flash ? "-fa" : "", prompt ? "prompt" : "decode") /
                "graph.json";
            const Graph recorded = parse_graph_json(read_text_file(path), path.string());
            ModelGraphOptions options;
            options.tokens = prompt ? 32 : 1;
            options.cells = 256;
            options.context = 512;
            options.flash_attention = flash;
            const ModelGraph ours = file->model->build_graph(options, placement);
            const auto expected = describe_graph(recorded);
            const auto built = describe_graph(ours.graph);
            EXPECT_EQ(built, expected) << path;
            score.add(built == expected);
        }
    }
    report("model graphs", score);
}

}  // namespace
}  // namespace splitscope::golden
