// SPDX-License-Identifier: MIT
#include "engine/models/model.hpp"

#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufWriter;
using test::TemporaryFile;

struct TensorEntry {
    std::string name;
    std::vector<std::uint64_t> ne;
};

/// The tensors of a llama of one layer, width 8, two heads, hidden 16 and 10 tokens.
std::vector<TensorEntry> llama_tensors() {
    return {{"token_embd.weight", {8, 10}},   {"output_norm.weight", {8}},
            {"output.weight", {8, 10}},       {"blk.0.attn_norm.weight", {8}},
            {"blk.0.attn_q.weight", {8, 8}},  {"blk.0.attn_k.weight", {8, 8}},
            {"blk.0.attn_v.weight", {8, 8}},  {"blk.0.attn_output.weight", {8, 8}},
            {"blk.0.ffn_norm.weight", {8}},   {"blk.0.ffn_gate.weight", {8, 16}},
            {"blk.0.ffn_up.weight", {8, 16}}, {"blk.0.ffn_down.weight", {16, 8}}};
}

GgufWriter llama(const std::vector<TensorEntry>& tensors) {
    GgufWriter writer;
    writer.text("general.architecture", "llama")
        .number("llama.block_count", 1)
        .number("llama.embedding_length", 8)
        .number("llama.context_length", 32)
        .number("llama.attention.head_count", 2);
    for (const TensorEntry& tensor : tensors) writer.tensor(tensor.name, tensor.ne);
    return writer;
}

ModelPlacement one_buffer() {
    ModelPlacement placement;
    placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("weights"); };
    placement.cache_buffer = [](std::int32_t) { return std::string("cache"); };
    return placement;
}

ModelGraph graph_of(const GgufWriter& writer) {
    const TemporaryFile stored(writer.bytes());
    return make_model(GgufFile::open(stored.path()))->build_graph({}, one_buffer());
}

TEST(Model, BuildsAGraphOfItsTensors) {
    const ModelGraph graph = graph_of(llama(llama_tensors()));
    EXPECT_EQ(graph.weights.size(), llama_tensors().size());
    EXPECT_EQ(graph.caches.size(), 2U);
    EXPECT_EQ(graph.graph[graph.logits].name, "result_output");
    EXPECT_EQ(graph.graph[graph.logits].ne, (Shape{10, 1, 1, 1}));
}

TEST(Model, NamesMissingTensors) {
    for (std::size_t missing = 0; missing < llama_tensors().size(); ++missing) {
        auto tensors = llama_tensors();
        const std::string name = tensors[missing].name;
        if (name == "output.weight") continue;  // the token embeddings are used instead
        tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(missing));
        try {
            graph_of(llama(tensors));
            ADD_FAILURE() << "accepted without " << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_file);
            EXPECT_NE(error.where().find(name), std::string::npos) << error.what();
        }
    }
}

TEST(Model, NamesWrongShapes) {
    for (std::size_t wrong = 0; wrong < llama_tensors().size(); ++wrong) {
        for (std::size_t dim = 0; dim < llama_tensors()[wrong].ne.size(); ++dim) {
            auto tensors = llama_tensors();
            const std::string name = tensors[wrong].name;
            // The number of tokens and the hidden width follow from these tensors.
            if ((name == "token_embd.weight" || name == "blk.0.ffn_up.weight") && dim == 1) continue;
            tensors[wrong].ne[dim] += 4;
            try {
                graph_of(llama(tensors));
                ADD_FAILURE() << "accepted: " << name << " dimension " << dim;
            } catch (const Error& error) {
                EXPECT_NE(error.where().find(name), std::string::npos) << error.what();
            }
        }
    }
}

TEST(Model, NamesUnknownArchitectures) {
    GgufWriter writer;
    writer.text("general.architecture", "mystery")
        .number("mystery.block_count", 1)
        .number("mystery.embedding_length", 8)
        .number("mystery.context_length", 32)
        .number("mystery.attention.head_count", 2);
    try {
        graph_of(writer);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_NE(std::string(error.what()).find("'mystery'"), std::string::npos) << error.what();
    }
}

/// Also what llama.cpp's loader requires.
GgufWriter loadable_llama(const std::vector<TensorEntry>& tensors) {
    GgufWriter writer = llama(tensors);
    writer.text("tokenizer.ggml.model", "none").decimal("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    writer.number("llama.feed_forward_length", 16);
    return writer;
}

std::string why_not_runnable(const GgufWriter& writer) {
    const TemporaryFile stored(writer.bytes());
    const auto reason = make_model(GgufFile::open(stored.path()))->why_not_runnable();
    return reason ? english(*reason) : std::string();
}

TEST(Model, WithoutTokensItCannotRun) {
    auto tensors = llama_tensors();
    EXPECT_EQ(why_not_runnable(loadable_llama(tensors)), "");
    for (TensorEntry& tensor : tensors)
        if (tensor.name == "token_embd.weight" || tensor.name == "output.weight") tensor.ne[1] = 0;
    const std::string reason = why_not_runnable(loadable_llama(tensors));
    EXPECT_NE(reason.find("vocabulary is empty"), std::string::npos) << reason;
    EXPECT_NO_THROW(graph_of(loadable_llama(tensors))) << "as in llama.cpp";
}

TEST(Model, LimitsTheTextsOfTokens) {
    const auto tokenizer = [](std::size_t length) {
        std::vector<std::string> tokens;
        for (const char first : {'a', 'b', 'c', 'd'}) tokens.emplace_back(length, first);
        GgufWriter writer = llama(llama_tensors());
        writer.text("tokenizer.ggml.model", "rwkv").texts("tokenizer.ggml.tokens", tokens);
        const TemporaryFile stored(writer.bytes());
        const JobContext job = JobContext().with(MemoryBound(std::uint64_t{1} << 20));
        make_tokenizer(*GgufFile::open(stored.path(), job));
    };
    EXPECT_NO_THROW(tokenizer(5'000));
    try {
        tokenizer(50'000);
        ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory_bound);
        EXPECT_NE(error.where().find("tokenizer.ggml.tokens"), std::string::npos) << error.what();
    }
}

TEST(Model, MaskHidesLaterCells) {
    const TemporaryFile stored(llama(llama_tensors()).bytes());
    ModelGraphOptions options;
    options.tokens = 2;
    options.cells = options.context = 8;
    const ModelGraph graph = make_model(GgufFile::open(stored.path()))->build_graph(options, one_buffer());
    const BatchPosition batch{{3, 4}, 1};
    bool found = false;
    for (const InputBinding& input : graph.inputs) {
        const auto bytes = input_bytes(graph, input, batch);
        if (input.input != ModelInput::attention_mask) continue;
        found = true;
        std::vector<float> mask(bytes.size() / sizeof(float));
        std::memcpy(mask.data(), bytes.data(), bytes.size());
        ASSERT_EQ(mask.size(), 16U);
        for (std::size_t token = 0; token < 2; ++token) {
            for (std::size_t cell = 0; cell < 8; ++cell)
                EXPECT_EQ(mask[token * 8 + cell] == 0.0F, cell <= token + 1) << token << " " << cell;
        }
    }
    EXPECT_TRUE(found);
    EXPECT_THROW(input_bytes(graph, graph.inputs[0], {{3}, 0}), Error);
    EXPECT_THROW(input_bytes(graph, graph.inputs[0], {{3, 4}, 7}), Error);
}

/// Values of an input of a graph, as numbers of its type.
template <class T>
std::vector<T> values_of(const ModelGraph& graph, ModelInput kind, const BatchPosition& batch) {
    for (const InputBinding& input : graph.inputs) {
        if (input.input != kind) continue;
        const auto bytes = input_bytes(graph, input, batch);
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    ADD_FAILURE() << "no such input";
    return {};
}

TEST(Model, WindowCellsAreReused) {
    auto tensors = llama_tensors();
    tensors.push_back({"blk.0.attn_q_norm.weight", {4}});
    tensors.push_back({"blk.0.attn_k_norm.weight", {4}});
    tensors.push_back({"blk.0.post_attention_norm.weight", {8}});
    tensors.push_back({"blk.0.post_ffw_norm.weight", {8}});
    GgufWriter writer;
    writer.text("general.architecture", "gemma3")
        .number("gemma3.block_count", 1)
        .number("gemma3.embedding_length", 8)
        .number("gemma3.context_length", 32)
        .number("gemma3.attention.sliding_window", 3)
        .number("gemma3.attention.head_count", 2);
    for (const TensorEntry& tensor : tensors) writer.tensor(tensor.name, tensor.ne);
    const TemporaryFile stored(writer.bytes());
    const auto model = make_model(GgufFile::open(stored.path()));
    ModelGraphOptions options;
    options.tokens = 2;
    options.cells = options.context = 16;
    options.window_cells = options.window_context = 4;
    const ModelGraph graph = model->build_graph(options, one_buffer());
    for (const TensorId id : graph.caches) EXPECT_EQ(graph.graph[id].ne[1], 4);

    // Positions 5 and 6 go into cells 1 and 2; 3 and 4 are in 3 and 0.
    const BatchPosition batch{{1, 2}, 5};
    EXPECT_EQ(values_of<std::int64_t>(graph, ModelInput::swa_cache_rows_k, batch),
              (std::vector<std::int64_t>{1, 2}));
    const auto mask = values_of<float>(graph, ModelInput::swa_attention_mask, batch);
    ASSERT_EQ(mask.size(), 8U);
    const std::vector<bool> seen = {true, true, false, true, true, true, true, false};
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(mask[i] == 0.0F, seen[i]) << i;

    // Four tokens and the two positions before the first do not fit four cells.
    options.tokens = 4;
    const ModelGraph wide = model->build_graph(options, one_buffer());
    for (const InputBinding& input : wide.inputs) {
        if (input.input != ModelInput::swa_attention_mask) continue;
        EXPECT_THROW(input_bytes(wide, input, {{1, 2, 3, 4}, 8}), Error);
    }
}

/// The golden folder: the environment variable SPLITSCOPE_GOLDEN, else the one known at build time.
std::filesystem::path golden() {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    return chosen != nullptr && *chosen != '\0' ? chosen : SPLITSCOPE_GOLDEN_DIR;
}

TEST(Model, FilesWithoutWeightsAreForInspection) {
    const auto folder = golden() / "models";
    if (!std::filesystem::is_directory(folder))
        GTEST_SKIP() << "*** NOT CHECKED: " << folder << " is absent; set SPLITSCOPE_GOLDEN ***";
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.path().filename().string().starts_with("header-")) continue;
        SCOPED_TRACE(entry.path().filename());
        ++seen;
        const auto model = make_model(GgufFile::open(entry.path()));
        const auto reason = model->why_not_runnable();
        ASSERT_TRUE(reason);
        EXPECT_NE(english(*reason).find("no weights"), std::string::npos) << *reason;
        for (const bool flash : {false, true}) {
            ModelGraphOptions options;
            options.flash_attention = flash;
            options.tokens = 32;
            const ModelGraph graph = model->build_graph(options, one_buffer());
            EXPECT_EQ(graph.graph[graph.logits].ne[0], model->shape().vocabulary);
            EXPECT_EQ(graph.caches.size(), 2U * model->shape().layers);
        }
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace splitscope
