// SPDX-License-Identifier: MIT
#pragma once

#include "engine/models/hyperparameters.hpp"
#include "engine/models/model.hpp"

namespace splitscope {

/// How an architecture's graph is built. Throws Error when the file's tensors do not fit.
using BuildGraph = ModelGraph(const GgufFile& file, const Hyperparameters& hyperparameters,
                              const ModelGraphOptions& options, const ModelPlacement& placement);

BuildGraph build_llama;    ///< llama and its mixtures (Mixtral)
BuildGraph build_qwen;     ///< qwen2, qwen3 and qwen3moe
BuildGraph build_gemma;    ///< gemma2 and gemma3
BuildGraph build_phi3;     ///< fused projections
BuildGraph build_gpt2;     ///< learned positions, layer norms
BuildGraph build_gpt_oss;  ///< mixture with biases and attention sinks
BuildGraph build_mamba;    ///< state space instead of attention
BuildGraph build_bert;     ///< encoder that gives embeddings

}  // namespace splitscope
