// SPDX-License-Identifier: MIT
// The pages of all architectures, by the file that has them.
#pragma once

#include "engine/models/architectures.hpp"
#include "engine/models/decoder.hpp"

namespace splitscope::pages {

// llama.cpp: RMS norms, rotary positions, gated feed-forwards or experts.
Page llama, qwen2, qwen3, qwen3moe, phi3, gpt_oss;
// gemma.cpp
Page gemma2, gemma3;
// learned_positions.cpp
Page gpt2;
// bert.cpp: encoders that give embeddings.
Page bert;
// mamba.cpp: a state space instead of attention.
Page mamba;

}  // namespace splitscope::pages
