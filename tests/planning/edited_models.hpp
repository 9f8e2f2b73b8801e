// SPDX-License-Identifier: MIT
// Headers of golden models, edited and planned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/models/check_file.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/planning/edited_header.hpp"

namespace splitscope::test {

inline std::filesystem::path golden_headers() {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    return std::filesystem::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "archs";
}

inline void add_tensor(EditedHeader& header, const std::string& name, const Shape& ne) {
    GgufTensor tensor;
    tensor.name = name;
    tensor.ne = ne;
    header.tensors.push_back(tensor);
}

inline std::function<void(EditedHeader&)> without(std::string name) {
    return [name = std::move(name)](EditedHeader& header) {
        EXPECT_EQ(std::erase_if(header.tensors, [&](const GgufTensor& t) { return t.name == name; }), 1U);
    };
}

inline std::function<void(EditedHeader&)> with_key(std::string name, GgufValue value) {
    return [name = std::move(name), value = std::move(value)](EditedHeader& header) {
        std::erase_if(header.keys, [&](const auto& key) { return key.first == name; });
        header.keys.emplace_back(name, value);
    };
}

/// The decode graph of a golden header after an edit; null without golden headers.
inline std::shared_ptr<const ModelGraph> edited_graph(const char* name,
                                                      const std::function<void(EditedHeader&)>& edit) {
    const std::filesystem::path path = golden_headers() / name;
    if (!std::filesystem::exists(path)) return nullptr;
    EditedHeader edited(*GgufFile::open(path));
    edit(edited);
    const TemporaryFile stored(edited.bytes());
    const auto file = GgufFile::open(stored.path());
    EXPECT_FALSE(why_not_loadable(*file)) << english(reason_in(*file, *why_not_loadable(*file)));
    ModelPlacement placement;
    placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("CPU"); };
    placement.cache_buffer = [](std::int32_t) { return std::string("CPU"); };
    return std::make_shared<const ModelGraph>(make_model(file)->build_graph({}, placement));
}

inline std::size_t count_of(const ModelGraph& graph, Op op) {
    return static_cast<std::size_t>(
        std::ranges::count_if(graph.graph.nodes, [&](TensorId node) { return graph.graph[node].op == op; }));
}

/// Why the golden header is not planned after an edit; "none" without golden headers.
inline std::string verdict_of(const char* name, const std::function<void(EditedHeader&)>& edit,
                              const PlacementFlags& flags = {}) {
    const std::filesystem::path path = golden_headers() / name;
    if (!std::filesystem::exists(path)) return "none";
    EditedHeader edited(*GgufFile::open(path));
    edit(edited);
    const TemporaryFile stored(edited.bytes());
    const auto file = GgufFile::open(stored.path());
    std::shared_ptr<const Model> model;
    try {
        model = make_model(file);
    } catch (const Error&) {
    }
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    const ModelPlan plan = plan_model(*file, model.get(), hardware, flags, Generation::g2026_08);
    return english(plan.verdict.text());
}

}  // namespace splitscope::test
