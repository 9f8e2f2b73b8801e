// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope {

struct Architecture;

/// Keys that llama.cpp reads for some architectures only; for the others, they have no effect.
inline constexpr std::string_view kSelectiveKeys =
    "attention.max_alibi_bias attention.scale attention.shared_kv_layers attn_logit_softcapping "
    "expert_gating_func "
    "expert_weights_norm expert_weights_scale final_logit_softcapping leading_dense_block_count";

/// Whether llama.cpp reads the key, named without the architecture.
bool reads_key(const Architecture& architecture, std::string_view key);

}  // namespace splitscope
