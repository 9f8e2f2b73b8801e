// SPDX-License-Identifier: MIT
// Graphs built from model files against the reference engine's graphs of the same models: golden/captures.
// Properties of the machine and pre-allocation are taken from the recording; nodes, leafs, names, shapes,
// strides, parameters, flags and sources are built.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engine/formats/graph_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/golden/capture_model.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

/// Buffers as recorded. A weight in several buffers refers to that of the layer, which contains its norm.
ModelPlacement placement_of(const Graph& graph, std::int32_t layers) {
    const auto tensors = std::make_shared<std::multimap<std::string, const Tensor*>>(allocated(graph));
    const auto buffer_of = [&graph](const Tensor& t) { return graph.buffers[t.buffer.index()]; };
    ModelPlacement placement;
    placement.weight_buffer = [tensors, buffer_of, layers](std::int32_t layer, const std::string& weight) {
        const auto [first, last] = tensors->equal_range(weight);
        if (first == last) return std::string("absent");
        if (std::next(first) == last) return buffer_of(*first->second);
        // In the order of the leafs: the input layer's comes first.
        if (layer < 0) return buffer_of(*first->second);
        const std::string norm =
            layer == layers ? "output_norm.weight" : fmt::format("blk.{}.attn_norm.weight", layer);
        const std::string device = buffer_of(*tensors->find(norm)->second).substr(0, 12);
        for (auto entry = first; entry != last; ++entry) {
            if (buffer_of(*entry->second).substr(0, 12) == device && !(layer == layers && entry == first))
                return buffer_of(*entry->second);
        }
        return buffer_of(*first->second);
    };
    placement.cache_buffer = [tensors, buffer_of](std::int32_t layer) {
        return buffer_of(*tensors->find(fmt::format("cache_k_l{}", layer))->second);
    };
    return placement;
}

TEST(Golden, ModelGraphs) {
    const auto captures = folder("captures");
    if (!captures) GTEST_SKIP() << absent("captures");
    std::map<std::string, Score> scores;
    for (const auto& entry : std::filesystem::directory_iterator(*captures)) {
        const auto path = entry.path() / "graph.json";
        if (!std::filesystem::exists(path)) continue;
        const std::string folder_name = entry.path().filename().string();
        const CaptureName name(folder_name);
        std::string difference;
        try {
            const Graph recorded = parse_graph_json(read_text_file(path), path.string());
            const auto model = model_of(name, recorded);
            const auto layers = static_cast<std::int32_t>(model->shape().layers);
            const ModelGraph built =
                model->build_graph(options_of(name, recorded), placement_of(recorded, layers));
            difference = first_difference(describe_graph(built.graph), describe_graph(recorded));
        } catch (const Error& error) {
            difference = error.what();
        }
        EXPECT_EQ(difference, "") << folder_name;
        scores[name.form == GraphForm::g2025_02 ? "2025-02" : "2026-08"].add(difference.empty());
    }
    EXPECT_EQ(scores.size(), 2U) << "one form of graphs has no cases";
    for (const auto& [form, score] : scores) report("model graphs " + form, score);
}

}  // namespace
}  // namespace splitscope::golden
