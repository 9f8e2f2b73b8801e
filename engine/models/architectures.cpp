// SPDX-License-Identifier: MIT
#include "engine/models/architectures.hpp"

#include <algorithm>
#include <array>

namespace splitscope {

// The pages, by the file in pages/ that has them.
namespace pages {

// llama.cpp: RMS norms, rotary positions, gated feed-forwards or experts; known to older generations.
ModelPage llama, qwen2, qwen3, qwen3moe, phi3, gpt_oss;
// dense.cpp: one feed-forward per block.
ModelPage plain, plain_with_factors, plain_with_head_norms;
ModelPage apertus, arcee, baichuan, bitnet, bloom, chatglm, codeshell, exaone4, glm4, granite, hunyuan, jais,
    jais2, llada, llama_embed;
ModelPage maincoder, minicpm, mpt, nemotron, olmo, olmo2, orion, pangu_embedded, plamo3, refact, seed_oss,
    smollm3, starcoder2;
// mixtures.cpp: experts in most blocks.
ModelPage arctic, bailingmoe, bailingmoe2, dbrx, deepseek, dots1, ernie4_5_moe, exaone_moe, glm4moe, grok,
    hunyuan_moe;
ModelPage llada_moe, llama4, maple, mellum, minimax_m2, minimax_m3, mistral3, olmoe, phimoe, qwen2moe,
    smallthinker;
// parallel.cpp: attention and feed-forward side by side.
ModelPage cohere2, command_r, falcon, gptneox, phi2, plamo, stablelm;
// gated.cpp: gated attention, and related decoders.
ModelPage afmoe, chameleon, cogvlm, cohere2moe, deci, grovemoe, hy_v3, laguna, mimo2, nanbeige, openelm,
    step35, talkie;
// latent.cpp: compressed keys and values.
ModelPage deepseek2, deepseek2_ocr, deepseek32, dots3note, glm_dsa, minicpm3, mistral4, plm;
// gemma.cpp
ModelPage gemma, gemma_embedding, gemma2, gemma3;
// gemma_wide.cpp
ModelPage gemma3n, gemma4;
// lightning.cpp: a decaying state per head, and attention.
ModelPage minimax_01;
// learned_positions.cpp
ModelPage gpt2;
// bert.cpp: encoders that give embeddings.
ModelPage bert, eurobert, jina_bert_v2, jina_bert_v3, modern_bert, neo_bert, nomic_bert, nomic_bert_moe;
// newcomers.cpp: gates behind attention.
ModelPage hrm_text, muse_glimmer, spark2_5;
// streams.cpp: parallel residual streams.
ModelPage hy_v4;
// t5.cpp: biases of distances.
ModelPage t5, t5encoder;
// mamba.cpp: a state space instead of attention.
ModelPage mamba, mamba2;
// rwkv.cpp: linear attention and token shifts.
ModelPage rwkv6, rwkv6qwen2, rwkv7;
// delta_net.cpp: gated delta rules and gated attention.
ModelPage qwen35, qwen3next;
// kimi.cpp: delta rules with a decay per element, and latent attention.
ModelPage bailingmoe3, kimi_k3, kimi_linear;
// hybrid.cpp: attention and recurrent states.
ModelPage falcon_h1, granite_hybrid, jamba, lfm2, nemotron_h, plamo2;

}  // namespace pages

namespace {

using enum RopeKind;
constexpr WindowKind kStandard = WindowKind::standard;

/// Sorted by name; a page may serve several architectures.
constexpr std::array kArchitectures = {
    Architecture{.name = "afmoe", .page = pages::afmoe, .window = {.kind = kStandard, .period = 4}},
    Architecture{.name = "apertus", .page = pages::apertus},
    Architecture{.name = "arcee", .page = pages::arcee, .rope = pairs},
    Architecture{.name = "arctic", .page = pages::arctic, .rope = pairs},
    Architecture{
        .name = "baichuan", .page = pages::baichuan, .rope = pairs, .alibi_layers = 40, .alibi = 8.0F},
    Architecture{.name = "bailingmoe", .page = pages::bailingmoe, .rope = pairs},
    Architecture{.name = "bailingmoe2", .page = pages::bailingmoe2},
    Architecture{
        .name = "bailingmoe3", .page = pages::bailingmoe3, .rope = pairs, .caches = CacheKinds::hybrid},
    Architecture{.name = "bert",
                 .page = pages::bert,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true,
                 .older_forms = true},
    Architecture{.name = "bitnet", .page = pages::bitnet},
    Architecture{.name = "bloom", .page = pages::bloom, .rope = none, .alibi = 8.0F},
    Architecture{.name = "chameleon", .page = pages::chameleon, .rope = pairs},
    Architecture{.name = "chatglm", .page = pages::chatglm, .rope = pairs},
    Architecture{.name = "codeshell", .page = pages::codeshell},
    Architecture{.name = "cogvlm", .page = pages::cogvlm},
    Architecture{
        .name = "cohere2", .page = pages::cohere2, .rope = pairs, .window = {.kind = kStandard, .period = 4}},
    Architecture{.name = "cohere2moe",
                 .page = pages::cohere2moe,
                 .rope = pairs,
                 .window = {.kind = kStandard, .period = 4, .full_first = true}},
    Architecture{.name = "command-r", .page = pages::command_r, .rope = pairs},
    Architecture{.name = "dbrx", .page = pages::dbrx},
    Architecture{.name = "deci", .page = pages::deci, .rope = pairs},
    Architecture{.name = "deepseek", .page = pages::deepseek, .rope = pairs},
    Architecture{.name = "deepseek2", .page = pages::deepseek2, .rope = pairs, .caches = CacheKinds::latent},
    Architecture{.name = "deepseek2-ocr", .page = pages::deepseek2_ocr, .rope = pairs},
    Architecture{.name = "deepseek32",
                 .page = pages::deepseek32,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .layer_norm_epsilon = 1e-6F},
    Architecture{.name = "dots1", .page = pages::dots1},
    Architecture{.name = "dots3note",
                 .page = pages::dots3note,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .window = {.kind = kStandard, .own_base = true},
                 .layer_norm_epsilon = 1e-6F},
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
    Architecture{.name = "gemma3n",
                 .page = pages::gemma3n,
                 .window = {.kind = kStandard, .period = 5, .own_base = true},
                 .output_cap = 30.0F},
    Architecture{.name = "gemma4",
                 .page = pages::gemma4,
                 .window = {.kind = kStandard, .own_base = true},
                 .output_cap = 30.0F},
    Architecture{.name = "glm-dsa",
                 .page = pages::glm_dsa,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .layer_norm_epsilon = 1e-6F},
    Architecture{.name = "glm4", .page = pages::glm4, .rope = pairs},
    Architecture{.name = "glm4moe", .page = pages::glm4moe},
    Architecture{.name = "gpt-oss", .page = pages::gpt_oss, .window = {.kind = kStandard, .period = 2}},
    Architecture{.name = "gpt2", .page = pages::gpt2, .rope = none, .older_forms = true},
    Architecture{.name = "gptneox", .page = pages::gptneox},
    Architecture{.name = "granite", .page = pages::granite, .rope = pairs},
    Architecture{.name = "granite_swa",
                 .page = pages::granite,
                 .rope = pairs,
                 .window = {.kind = kStandard, .period = 0}},
    Architecture{
        .name = "granitehybrid", .page = pages::granite_hybrid, .rope = pairs, .caches = CacheKinds::hybrid},
    Architecture{.name = "granitemoe", .page = pages::granite, .rope = pairs},
    Architecture{.name = "grok", .page = pages::grok, .without_flash = true},
    Architecture{.name = "grovemoe", .page = pages::grovemoe},
    Architecture{.name = "hrm_text", .page = pages::hrm_text},
    Architecture{.name = "hunyuan-dense", .page = pages::hunyuan},
    Architecture{.name = "hunyuan-moe", .page = pages::hunyuan_moe},
    Architecture{.name = "hunyuan_vl", .page = pages::hunyuan},
    Architecture{.name = "hy_v3", .page = pages::hy_v3},
    Architecture{.name = "hy_v4",
                 .page = pages::hy_v4,
                 .rope = pairs,
                 .caches = CacheKinds::latent,
                 .layer_norm_epsilon = 1e-6F},
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
    Architecture{.name = "kimi-k3", .page = pages::kimi_k3, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{
        .name = "kimi-linear", .page = pages::kimi_linear, .rope = none, .caches = CacheKinds::hybrid},
    Architecture{.name = "laguna",
                 .page = pages::laguna,
                 .window = {.kind = kStandard, .period = 4, .full_first = true, .unscaled = true}},
    Architecture{.name = "lfm2",
                 .page = pages::lfm2,
                 .caches = CacheKinds::hybrid,
                 .window = {.kind = kStandard, .all = true}},
    Architecture{.name = "lfm2moe", .page = pages::lfm2, .caches = CacheKinds::hybrid},
    Architecture{.name = "llada", .page = pages::llada, .rope = pairs, .caches = CacheKinds::none},
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
    Architecture{.name = "maple", .page = pages::maple, .window = {.kind = kStandard}},
    Architecture{.name = "mellum", .page = pages::mellum, .window = {.kind = kStandard, .period = 4}},
    Architecture{.name = "mimo2", .page = pages::mimo2, .window = {.kind = kStandard, .own_base = true}},
    Architecture{.name = "minicpm", .page = pages::minicpm, .rope = pairs},
    Architecture{.name = "minicpm3", .page = pages::minicpm3},
    Architecture{.name = "minimax-01", .page = pages::minimax_01, .caches = CacheKinds::hybrid},
    Architecture{.name = "minimax-m2", .page = pages::minimax_m2},
    Architecture{.name = "minimax-m3", .page = pages::minimax_m3},
    Architecture{.name = "mistral3", .page = pages::mistral3, .rope = pairs},
    Architecture{.name = "mistral4", .page = pages::mistral4, .rope = pairs, .caches = CacheKinds::latent},
    Architecture{.name = "modern-bert",
                 .page = pages::modern_bert,
                 .caches = CacheKinds::none,
                 .window = {.kind = WindowKind::symmetric, .period = 3, .full_first = true, .own_base = true},
                 .gives_embeddings = true},
    Architecture{.name = "mpt", .page = pages::mpt, .rope = none},
    Architecture{.name = "muse-glimmer",
                 .page = pages::muse_glimmer,
                 .rope = pairs,
                 .window = {.kind = kStandard},
                 .output_cap = 30.0F},
    Architecture{.name = "nanbeige", .page = pages::nanbeige, .rope = pairs},
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
    Architecture{.name = "openelm", .page = pages::openelm},
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
    Architecture{.name = "plm", .page = pages::plm, .rope = pairs, .stops_on_flash = true},
    Architecture{.name = "qwen", .page = pages::plain},
    Architecture{.name = "qwen2", .page = pages::qwen2, .older_forms = true},
    Architecture{.name = "qwen2moe", .page = pages::qwen2moe},
    Architecture{.name = "qwen2vl", .page = pages::plain, .rope = sections, .without_epsilon = true},
    Architecture{.name = "qwen3", .page = pages::qwen3, .older_forms = true},
    Architecture{.name = "qwen35", .page = pages::qwen35, .rope = interleaved, .caches = CacheKinds::hybrid},
    Architecture{
        .name = "qwen35moe", .page = pages::qwen35, .rope = interleaved, .caches = CacheKinds::hybrid},
    Architecture{.name = "qwen3moe", .page = pages::qwen3moe, .older_forms = true},
    Architecture{.name = "qwen3next", .page = pages::qwen3next, .caches = CacheKinds::hybrid},
    Architecture{.name = "qwen3tts", .page = pages::qwen3, .rope = interleaved},
    Architecture{.name = "qwen3vl", .page = pages::qwen3, .rope = interleaved},
    Architecture{.name = "qwen3vlmoe", .page = pages::qwen3moe, .rope = interleaved},
    Architecture{.name = "refact", .page = pages::refact, .rope = none, .alibi = 8.0F},
    Architecture{.name = "rnd1", .page = pages::mellum, .caches = CacheKinds::none},
    Architecture{.name = "rwkv6", .page = pages::rwkv6, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{
        .name = "rwkv6qwen2", .page = pages::rwkv6qwen2, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{.name = "rwkv7", .page = pages::rwkv7, .rope = none, .caches = CacheKinds::recurrent},
    Architecture{.name = "seed_oss", .page = pages::seed_oss},
    Architecture{
        .name = "smallthinker",
        .page = pages::smallthinker,
        .window = {.kind = kStandard, .period = 4, .width = 4096, .fixed_width = true, .full_first = true}},
    Architecture{.name = "smollm3", .page = pages::smollm3, .rope = pairs},
    Architecture{.name = "spark2_5", .page = pages::spark2_5, .window = {.kind = kStandard}},
    Architecture{.name = "stablelm", .page = pages::stablelm},
    Architecture{.name = "starcoder", .page = pages::gpt2, .rope = none},
    Architecture{.name = "starcoder2", .page = pages::starcoder2},
    Architecture{.name = "step35", .page = pages::step35, .window = {.kind = kStandard, .own_base = true}},
    Architecture{.name = "t5", .page = pages::t5, .rope = none, .reads_encoder = true},
    Architecture{.name = "t5encoder",
                 .page = pages::t5encoder,
                 .rope = none,
                 .caches = CacheKinds::none,
                 .gives_embeddings = true},
    Architecture{.name = "talkie", .page = pages::talkie},
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
