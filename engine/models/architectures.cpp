// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <array>

#include "engine/models/pages/pages.hpp"

namespace splitscope {
namespace {

using enum RopeKind;
constexpr WindowKind kStandard = WindowKind::standard;

/// One row per architecture, in alphabetical order; a page may serve several.
constexpr std::array kArchitectures = {
    Architecture{.name = "apertus", .page = pages::apertus},
    Architecture{.name = "arcee", .page = pages::arcee, .rope = pairs},
    Architecture{.name = "arctic", .page = pages::arctic, .rope = pairs},
    Architecture{
        .name = "baichuan", .page = pages::baichuan, .rope = pairs, .alibi_layers = 40, .alibi = 8.0F},
    Architecture{.name = "bailingmoe", .page = pages::bailingmoe, .rope = pairs},
    Architecture{.name = "bailingmoe2", .page = pages::bailingmoe2},
    Architecture{.name = "bert",
                 .page = pages::bert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .older_forms = true},
    Architecture{.name = "bitnet", .page = pages::bitnet},
    Architecture{.name = "bloom", .page = pages::bloom, .rope = none, .alibi = 8.0F},
    Architecture{.name = "chatglm", .page = pages::chatglm, .rope = pairs},
    Architecture{.name = "codeshell", .page = pages::codeshell},
    Architecture{
        .name = "cohere2", .page = pages::cohere2, .rope = pairs, .window = {.kind = kStandard, .period = 4}},
    Architecture{.name = "command-r", .page = pages::command_r, .rope = pairs},
    Architecture{.name = "dbrx", .page = pages::dbrx},
    Architecture{.name = "deepseek", .page = pages::deepseek, .rope = pairs},
    Architecture{.name = "dots1", .page = pages::dots1},
    Architecture{.name = "dream", .page = pages::plain, .caches = CacheKinds::none},
    Architecture{.name = "ernie4_5", .page = pages::plain, .rope = pairs},
    Architecture{.name = "ernie4_5-moe", .page = pages::ernie4_5_moe, .rope = pairs},
    Architecture{
        .name = "eurobert", .page = pages::eurobert, .caches = CacheKinds::none, .gives_embeddings = true},
    Architecture{.name = "exaone", .page = pages::plain_with_factors},
    Architecture{.name = "exaone-moe",
                 .page = pages::exaone_moe,
                 .window = {.kind = kStandard, .period = 4, .width = 128}},
    Architecture{.name = "exaone4",
                 .page = pages::exaone4,
                 .window = {.kind = kStandard, .period = 4, .layers = 64, .width = 4096}},
    Architecture{.name = "falcon", .page = pages::falcon},
    Architecture{.name = "falcon-h1", .page = pages::falcon_h1, .caches = CacheKinds::hybrid},
    Architecture{.name = "gemma", .page = pages::gemma},
    Architecture{.name = "gemma-embedding",
                 .page = pages::gemma_embedding,
                 .caches = CacheKinds::none,
                 .window = {.kind = WindowKind::symmetric, .period = 6, .own_base = true},
                 .gives_embeddings = true},
    Architecture{.name = "gemma2",
                 .page = pages::gemma2,
                 .window = {.kind = kStandard, .period = 2, .width = 4096},
                 .attention_cap = 50.0F,
                 .output_cap = 30.0F,
                 .older_forms = true},
    Architecture{.name = "gemma3",
                 .page = pages::gemma3,
                 .window = {.kind = kStandard, .period = 6, .own_base = true},
                 .older_forms = true},
    Architecture{.name = "glm4", .page = pages::glm4, .rope = pairs},
    Architecture{.name = "glm4moe", .page = pages::glm4moe},
    Architecture{.name = "gpt-oss", .page = pages::gpt_oss, .window = {.kind = kStandard, .period = 2}},
    Architecture{.name = "gpt2", .page = pages::gpt2, .rope = none, .older_forms = true},
    Architecture{.name = "gptneox", .page = pages::gptneox},
    Architecture{.name = "granite", .page = pages::granite, .rope = pairs},
    Architecture{.name = "granitemoe", .page = pages::granite, .rope = pairs},
    Architecture{
        .name = "granitehybrid", .page = pages::granite_hybrid, .rope = pairs, .caches = CacheKinds::hybrid},
    Architecture{.name = "grok", .page = pages::grok},
    Architecture{.name = "hunyuan-dense", .page = pages::hunyuan},
    Architecture{.name = "hunyuan-moe", .page = pages::hunyuan_moe},
    Architecture{.name = "hunyuan_vl", .page = pages::hunyuan},
    Architecture{.name = "internlm2", .page = pages::plain, .rope = pairs},
    Architecture{.name = "jais", .page = pages::jais, .rope = none},
    Architecture{.name = "jais2", .page = pages::jais2},
    Architecture{.name = "jamba", .page = pages::jamba, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{.name = "jina-bert-v2",
                 .page = pages::jina_bert_v2,
                 .rope = none,
                 .caches = CacheKinds::none,
                 .alibi = 8.0F,
                 .gives_embeddings = true},
    Architecture{.name = "jina-bert-v3",
                 .page = pages::jina_bert_v3,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{
        .name = "kimi-linear", .page = pages::kimi_linear, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{
        .name = "lfm2", .page = pages::lfm2, .caches = CacheKinds::hybrid, .window = {.kind = kStandard}},
    Architecture{.name = "lfm2moe", .page = pages::lfm2, .caches = CacheKinds::hybrid},
    Architecture{.name = "llada", .page = pages::plain, .rope = pairs, .caches = CacheKinds::none},
    Architecture{.name = "llada-moe", .page = pages::llada_moe, .caches = CacheKinds::none},
    Architecture{.name = "llama", .page = pages::llama, .rope = pairs, .older_forms = true},
    Architecture{.name = "llama-embed",
                 .page = pages::llama_embed,
                 .rope = pairs,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{.name = "llama4",
                 .page = pages::llama4,
                 .rope = pairs,
                 .window = {.kind = WindowKind::chunked, .period = 4, .width = 8192, .fixed_width = true}},
    Architecture{.name = "maincoder", .page = pages::maincoder, .rope = pairs},
    Architecture{.name = "mamba", .page = pages::mamba, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{.name = "mamba2", .page = pages::mamba2, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{.name = "mellum", .page = pages::mellum, .window = {.kind = kStandard, .period = 4}},
    Architecture{.name = "minicpm", .page = pages::minicpm, .rope = pairs},
    Architecture{.name = "minimax-m2", .page = pages::minimax_m2},
    Architecture{.name = "mistral3", .page = pages::mistral3, .rope = pairs},
    Architecture{.name = "modern-bert",
                 .page = pages::modern_bert,
                 .caches = CacheKinds::none,
                 .window = {.kind = WindowKind::symmetric, .period = 3, .full_first = true, .own_base = true},
                 .gives_embeddings = true},
    Architecture{.name = "mpt", .page = pages::mpt, .rope = none},
    Architecture{.name = "nemotron", .page = pages::nemotron},
    Architecture{.name = "nemotron_h", .page = pages::nemotron_h, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{
        .name = "nemotron_h_moe", .page = pages::nemotron_h, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{.name = "neo-bert",
                 .page = pages::neo_bert,
                 .rope = pairs,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{.name = "nomic-bert",
                 .page = pages::nomic_bert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{.name = "nomic-bert-moe",
                 .page = pages::nomic_bert_moe,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{.name = "olmo", .page = pages::olmo, .rope = pairs},
    Architecture{
        .name = "olmo2", .page = pages::olmo2, .window = {.kind = kStandard, .period = 4, .unscaled = true}},
    Architecture{.name = "olmoe", .page = pages::olmoe},
    Architecture{.name = "orion", .page = pages::orion},
    Architecture{.name = "paddleocr", .page = pages::plain, .rope = sections},
    Architecture{.name = "pangu-embedded", .page = pages::pangu_embedded},
    Architecture{.name = "phi2", .page = pages::phi2},
    Architecture{.name = "phi3", .page = pages::phi3, .older_forms = true},
    Architecture{.name = "phimoe", .page = pages::phimoe},
    Architecture{.name = "plamo", .page = pages::plamo},
    Architecture{.name = "plamo2", .page = pages::plamo2, .caches = CacheKinds::hybrid},
    Architecture{.name = "plamo3",
                 .page = pages::plamo3,
                 .window = {.kind = kStandard, .period = 8, .own_base = true}},
    Architecture{.name = "qwen", .page = pages::plain},
    Architecture{.name = "qwen2", .page = pages::qwen2, .older_forms = true},
    Architecture{.name = "qwen2moe", .page = pages::qwen2moe},
    Architecture{.name = "qwen2vl", .page = pages::plain, .rope = sections},
    Architecture{.name = "qwen3", .page = pages::qwen3, .older_forms = true},
    Architecture{.name = "qwen35", .page = pages::qwen35, .rope = interleaved, .caches = CacheKinds::hybrid},
    Architecture{
        .name = "qwen35moe", .page = pages::qwen35, .rope = interleaved, .caches = CacheKinds::hybrid},
    Architecture{.name = "qwen3moe", .page = pages::qwen3moe, .older_forms = true},
    Architecture{.name = "qwen3next", .page = pages::qwen3next, .caches = CacheKinds::hybrid},
    Architecture{.name = "qwen3vl", .page = pages::qwen3, .rope = interleaved},
    Architecture{.name = "qwen3vlmoe", .page = pages::qwen3moe, .rope = interleaved},
    Architecture{.name = "refact", .page = pages::refact, .rope = none, .alibi = 8.0F},
    Architecture{.name = "rnd1", .page = pages::rnd1, .caches = CacheKinds::none},
    Architecture{.name = "seed_oss", .page = pages::seed_oss},
    Architecture{
        .name = "smallthinker",
        .page = pages::smallthinker,
        .window = {.kind = kStandard, .period = 4, .width = 4096, .fixed_width = true, .full_first = true}},
    Architecture{.name = "smollm3", .page = pages::smollm3, .rope = pairs},
    Architecture{.name = "stablelm", .page = pages::stablelm},
    Architecture{.name = "starcoder", .page = pages::gpt2, .rope = none},
    Architecture{.name = "starcoder2", .page = pages::starcoder2},
    Architecture{.name = "xverse", .page = pages::plain, .rope = pairs},
};

}  // namespace

std::span<const Architecture> architectures() {
    return kArchitectures;
}

const Architecture* find_architecture(std::string_view name) {
    const auto found = std::ranges::find(kArchitectures, name, &Architecture::name);
    return found == kArchitectures.end() ? nullptr : &*found;
}

}  // namespace splitscope
