// SPDX-License-Identifier: MIT
#include "tests/golden/capture_model.hpp"

#include <algorithm>
#include <set>

#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {
namespace {

/// A graph with tensors identified by position, so that two graphs can be compared.
std::string describe_tensor(const Graph& graph, const std::vector<std::string>& positions, TensorId id,
                            const std::map<std::string, std::string>& buffers) {
    const Tensor& t = graph[id];
    std::string buffer = t.buffer.valid() ? graph.buffers[t.buffer.index()] : "-";
    if (const auto other = buffers.find(buffer); other != buffers.end()) buffer = other->second;
    std::string text =
        fmt::format("{} {} {} ne {} nb {} flags {} params {} offset {} buffer {}", t.name, name_of(t.op),
                    name_of(t.type), fmt::join(t.ne, ","), fmt::join(t.nb, ","), static_cast<int>(t.flags),
                    fmt::join(t.op_params, ","), t.view_offs, buffer);
    for (const TensorId source : t.src) text += " " + (source.valid() ? positions[source.index()] : "-");
    return text + " view " + (t.is_view() ? positions[t.view_src.index()] : "-");
}

}  // namespace

std::vector<std::string> describe_graph(const Graph& graph,
                                        const std::map<std::string, std::string>& buffers) {
    std::vector<std::string> positions(graph.tensors.size(), "unlisted");
    for (std::size_t i = 0; i < graph.leafs.size(); ++i)
        positions[graph.leafs[i].index()] = fmt::format("leaf {}", i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        positions[graph.nodes[i].index()] = fmt::format("node {}", i);
    std::vector<std::string> lines;
    for (const TensorId id : graph.leafs) lines.push_back(describe_tensor(graph, positions, id, buffers));
    for (const TensorId id : graph.nodes) lines.push_back(describe_tensor(graph, positions, id, buffers));
    return lines;
}

std::string first_difference(const std::vector<std::string>& ours, const std::vector<std::string>& recorded) {
    for (std::size_t i = 0; i < std::max(ours.size(), recorded.size()); ++i) {
        const std::string a = i < ours.size() ? ours[i] : "(end)";
        const std::string b = i < recorded.size() ? recorded[i] : "(end)";
        if (a != b) return fmt::format("line {}\nours     {}\nrecorded {}", i, a, b);
    }
    return {};
}

namespace {

constexpr std::string_view kOldForm = "2025-02.";

}  // namespace

CaptureName::CaptureName(std::string_view folder) {
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

namespace {

const Tensor& tensor_named(const Graph& graph, std::string_view name, Op op) {
    const auto found =
        std::ranges::find_if(graph.tensors, [&](const Tensor& t) { return t.name == name && t.op == op; });
    if (found == graph.tensors.end()) throw Error(ErrorKind::bad_file, Message::verbatim("missing"), name);
    return *found;
}

bool is_cache(const Tensor& t) {
    return t.name.starts_with("cache_");
}

}  // namespace

std::multimap<std::string, const Tensor*> allocated(const Graph& graph) {
    std::multimap<std::string, const Tensor*> out;
    for (const TensorId id : graph.leafs) {
        if (graph[id].buffer.valid()) out.emplace(graph[id].name, &graph[id]);
    }
    return out;
}

namespace {

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

}  // namespace

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
    options.clamps_in_place = true;
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

}  // namespace splitscope::golden
