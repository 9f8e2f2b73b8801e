// SPDX-License-Identifier: MIT
// The pages of all architectures, by the file that has them.
#pragma once

#include "engine/models/architectures.hpp"
#include "engine/models/decoder.hpp"

namespace splitscope::pages {

// llama.cpp: RMS norms, rotary positions, gated feed-forwards or experts; known to older generations.
ModelPage llama, qwen2, qwen3, qwen3moe, phi3, gpt_oss;
// dense.cpp: one feed-forward per block.
ModelPage plain, plain_with_factors, plain_with_head_norms;
ModelPage apertus, arcee, baichuan, bitnet, bloom, chatglm, codeshell, exaone4, glm4, granite, hunyuan, jais,
    jais2, llama_embed;
ModelPage maincoder, minicpm, mpt, nemotron, olmo, olmo2, orion, pangu_embedded, plamo3, refact, seed_oss,
    smollm3, starcoder2;
// mixtures.cpp: experts in most blocks.
ModelPage arctic, bailingmoe, bailingmoe2, dbrx, deepseek, dots1, ernie4_5_moe, exaone_moe, glm4moe, grok,
    hunyuan_moe;
ModelPage llada_moe, llama4, maple, mellum, minimax_m2, minimax_m3, mistral3, olmoe, phimoe, qwen2moe, rnd1,
    smallthinker;
// parallel.cpp: attention and feed-forward side by side.
ModelPage cohere2, command_r, falcon, gptneox, phi2, plamo, stablelm;
// gated.cpp: gates of what attention gives, and relatives.
ModelPage afmoe, chameleon, cogvlm, cohere2moe, deci, grovemoe, hy_v3, laguna, mimo2, nanbeige, openelm,
    step35, talkie;
// latent.cpp: compressed keys and values.
ModelPage deepseek2, deepseek2_ocr, deepseek32, dots3note, glm_dsa, minicpm3, plm;
// gemma.cpp
ModelPage gemma, gemma_embedding, gemma2, gemma3;
// gemma_wide.cpp
ModelPage gemma3n, gemma4;
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
// delta_net.cpp: gated delta rules and attention.
ModelPage bailingmoe3, kimi_linear, qwen35, qwen3next;
// hybrid.cpp: attention and recurrent states.
ModelPage falcon_h1, granite_hybrid, jamba, lfm2, nemotron_h, plamo2;

}  // namespace splitscope::pages
