// SPDX-License-Identifier: MIT
#include "tests/fuzz/tiny_model.hpp"

#include <algorithm>

#include "engine/messages/render.hpp"
#include "engine/models/model.hpp"
#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"

namespace splitscope::fuzz {
namespace {

constexpr std::size_t kTokens = 24;

/// "… not 32 × 64": the numbers behind the last "not".
std::vector<std::uint64_t> wanted_shape(const std::string& problem) {
    std::vector<std::uint64_t> ne;
    const auto at = problem.rfind(", not ");
    if (at == std::string::npos) return ne;
    std::uint64_t value = 0;
    bool in_number = false;
    for (const char c : problem.substr(at) + " ") {
        if (c >= '0' && c <= '9') {
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
            in_number = true;
        } else if (in_number) {
            ne.push_back(value);
            value = 0;
            in_number = false;
        }
    }
    return ne;
}

std::string quoted_tensor(const std::string& where) {
    constexpr std::string_view kMark = "tensor '";
    const auto at = where.find(kMark);
    if (at == std::string::npos) return {};
    const auto begin = at + kMark.size();
    return where.substr(begin, where.find('\'', begin) - begin);
}

}  // namespace

std::string TinyModel::file_bytes(bool with_data) const {
    test::GgufWriter writer;
    writer.with_data = with_data;
    writer.text("general.architecture", architecture);
    for (const auto& [key, value] : numbers)
        writer.key(architecture + "." + key, test::GgufType::u64, test::GgufWriter::bytes_of(value));
    std::vector<std::string> tokens = {"<unk>", "<s>", "</s>"};
    for (std::size_t i = tokens.size(); i < kTokens; ++i)
        tokens.push_back(std::string(1, static_cast<char>('a' + i)));
    writer.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens);
    writer.number("tokenizer.ggml.bos_token_id", 1).number("tokenizer.ggml.eos_token_id", 2);
    for (const Weight& weight : weights) {
        if (with_data)
            writer.tensor(weight.name, weight.ne, weight.type);
        else
            writer.tensor_at(weight.name, weight.ne, weight.type, 0);
    }
    return writer.bytes();
}

bool TinyModel::complete(std::size_t most) {
    ModelPlacement placement;
    placement.weight_buffer = [](std::int32_t, const std::string&) { return std::string("weights"); };
    placement.cache_buffer = [](std::int32_t) { return std::string("cache"); };
    for (std::size_t i = 0; i <= most; ++i) {
        try {
            const MemoryFile file(file_bytes(false));
            make_model(GgufFile::open(file.path()))->build_graph({}, placement);
            return true;
        } catch (const Error& error) {
            const std::string name = quoted_tensor(error.where());
            if (name.empty()) return false;
            const auto known = std::ranges::find(weights, name, &Weight::name);
            const auto ne = wanted_shape(english(error.problem()));
            if (known == weights.end())
                weights.push_back({name, {32, 64}});
            else if (!ne.empty())
                known->ne = ne;
            else
                return false;
        }
    }
    return false;
}

TinyModel TinyModel::of(std::string_view architecture) {
    TinyModel model;
    model.architecture = architecture;
    model.numbers = {{"block_count", 1},
                     {"embedding_length", 32},
                     {"context_length", 64},
                     {"vocab_size", kTokens},
                     {"feed_forward_length", 64},
                     {"attention.head_count", 2},
                     {"attention.head_count_kv", architecture == "gpt2" || architecture == "bert" ? 2U : 1U},
                     {"attention.sliding_window", 8}};
    if (architecture == "qwen3moe" || architecture == "gpt-oss") {
        model.numbers["expert_count"] = 4;
        model.numbers["expert_used_count"] = 2;
    }
    if (architecture == "mamba") {
        model.numbers["ssm.conv_kernel"] = 4;
        model.numbers["ssm.inner_size"] = 64;
        model.numbers["ssm.state_size"] = 8;
        model.numbers["ssm.time_step_rank"] = 4;
    }
    model.weights = {{"token_embd.weight", {32, kTokens}}};
    constexpr std::size_t kMaxWeights = 128;
    require(model.complete(kMaxWeights), "a small model of every architecture can be made");
    return model;
}

}  // namespace splitscope::fuzz
