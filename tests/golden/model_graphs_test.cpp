// SPDX-License-Identifier: MIT
// Graphs built from model files against the graphs that the reference engine built for the same models:
// golden/captures. What the machine has to do with it, where tensors are pre-allocated, is taken from the
// recording; nodes, leafs, names, shapes, strides, parameters, flags and sources are ours.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "engine/formats/graph_json.hpp"
#include "engine/models/model.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

/// A graph with its tensors told by where they stand, so that two graphs can be compared.
std::string describe_tensor(const Graph& graph, const std::vector<std::string>& positions, TensorId id) {
    const Tensor& t = graph[id];
    std::string text = fmt::format("{} {} {} ne {} nb {} flags {} params {} offset {} buffer {}", t.name,
                                   name_of(t.op), name_of(t.type), fmt::join(t.ne, ","), fmt::join(t.nb, ","),
                                   static_cast<int>(t.flags), fmt::join(t.op_params, ","), t.view_offs,
                                   t.buffer.valid() ? graph.buffers[t.buffer.index()] : "-");
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

/// The first line that differs, or nothing.
std::string first_difference(const std::vector<std::string>& ours, const std::vector<std::string>& recorded) {
    for (std::size_t i = 0; i < std::max(ours.size(), recorded.size()); ++i) {
        const std::string a = i < ours.size() ? ours[i] : "(end)";
        const std::string b = i < recorded.size() ? recorded[i] : "(end)";
        if (a != b) return fmt::format("line {}\nours     {}\nrecorded {}", i, a, b);
    }
    return {};
}

constexpr std::string_view kOldForm = "2025-02.";

/// "2025-02.llama-1b-fa.gpu-half.decode" in parts.
struct CaptureName {
    explicit CaptureName(std::string_view folder) {
        if (folder.starts_with(kOldForm)) {
            form = GraphForm::g2025_02;
            folder.remove_prefix(kOldForm.size());
        }
        model = folder.substr(0, folder.find('.'));
        if (model.ends_with("-fa")) {
            flash_attention = true;
            model.resize(model.size() - 3);
        }
    }
    GraphForm form = GraphForm::g2026_08;
    std::string model;
    bool flash_attention = false;
};

const Tensor& tensor_named(const Graph& graph, std::string_view name, Op op) {
    const auto found =
        std::ranges::find_if(graph.tensors, [&](const Tensor& t) { return t.name == name && t.op == op; });
    if (found == graph.tensors.end()) throw Error(ErrorKind::bad_file, "missing", std::string(name));
    return *found;
}

bool is_cache(const Tensor& t) {
    return t.name.starts_with("cache_");
}

/// Weights and caches of the recorded graph by name; a weight can be in several buffers.
std::multimap<std::string, const Tensor*> allocated(const Graph& graph) {
    std::multimap<std::string, const Tensor*> out;
    for (const TensorId id : graph.leafs) {
        if (graph[id].buffer.valid()) out.emplace(graph[id].name, &graph[id]);
    }
    return out;
}

/// A file of a llama with the shapes of a recorded graph, without weights.
std::string header_of(const Graph& graph) {
    const Tensor& query = tensor_named(graph, "Qcur-0", Op::rope);
    test::GgufWriter writer;
    writer.with_data = false;
    std::uint32_t layers = 0;
    std::set<std::string> seen;
    for (const auto& [name, tensor] : allocated(graph)) {
        if (name.starts_with("cache_k_l")) ++layers;
        if (is_cache(*tensor) || !seen.insert(name).second) continue;
        std::vector<std::uint64_t> ne;
        for (const std::int64_t extent : tensor->ne) ne.push_back(static_cast<std::uint64_t>(extent));
        while (ne.size() > 1 && ne.back() == 1) ne.pop_back();
        writer.tensor(name, ne, static_cast<std::uint32_t>(tensor->type));
        if (name == "blk.0.ffn_gate_exps.weight") {
            writer.number("llama.expert_count", static_cast<std::uint32_t>(ne[2]));
            writer.number("llama.expert_used_count",
                          static_cast<std::uint32_t>(tensor_named(graph, "ffn_moe_topk-0", Op::view).ne[0]));
        }
    }
    writer.text("general.architecture", "llama")
        .number("llama.block_count", layers)
        .number("llama.embedding_length",
                static_cast<std::uint32_t>(tensor_named(graph, "token_embd.weight", Op::none).ne[0]))
        .number("llama.context_length", static_cast<std::uint32_t>(query.op_params[4]))
        .number("llama.attention.head_count", static_cast<std::uint32_t>(query.ne[1]))
        .number("llama.attention.head_count_kv",
                static_cast<std::uint32_t>(tensor_named(graph, "Kcur-0", Op::rope).ne[1]))
        .decimal("llama.rope.freq_base", query.param_f32(5))
        .decimal("llama.attention.layer_norm_rms_epsilon",
                 tensor_named(graph, "norm-0", Op::rms_norm).param_f32(0));
    return writer.bytes();
}

/// The model of a capture, or null when there is no file for it and its graph does not tell enough.
std::shared_ptr<const Model> model_of(const CaptureName& name, const Graph& graph) {
    const std::map<std::string, std::string> files = {{"stories260K", "stories260K"},
                                                      {"llama-1b", "header-llama-3.2-1b-q4_0"},
                                                      {"mixtral", "header-mixtral-8x7b-q4_k_m"},
                                                      {"gpt-oss", "header-gpt-oss-20b-mxfp4"}};
    if (const auto file = files.find(name.model); file != files.end())
        return make_model(GgufFile::open(root() / "models" / (file->second + ".gguf")));
    const test::TemporaryFile stored(header_of(graph));
    return make_model(GgufFile::open(stored.path()));
}

ModelGraphOptions options_of(const CaptureName& name, const Graph& graph) {
    ModelGraphOptions options;
    options.form = name.form;
    options.flash_attention = name.flash_attention;
    options.tokens = static_cast<std::uint32_t>(tensor_named(graph, "inp_tokens", Op::none).ne[0]);
    options.outputs = static_cast<std::uint32_t>(tensor_named(graph, "result_output", Op::mul_mat).ne[1]);
    options.context = 512;
    // The token was decoded after a prompt of 32.
    options.first_cell = options.tokens == 1 ? 32 : 0;
    options.cells = 0;
    std::uint32_t least = options.context;
    for (const Tensor& t : graph.tensors) {
        if (t.name != "attn_inp_kq_mask" && t.name != "KQ_mask") continue;
        options.cells = std::max(options.cells, static_cast<std::uint32_t>(t.ne[0]));
        least = std::min(least, static_cast<std::uint32_t>(t.ne[0]));
    }
    if (least < options.cells) options.window_cells = options.window_context = least;
    return options;
}

/// Buffers as recorded. Of a weight in several buffers, that of the layer is meant: where its norm is.
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
    for (const auto& [form, score] : scores) report("model graphs " + form, score);
}

}  // namespace
}  // namespace splitscope::golden
