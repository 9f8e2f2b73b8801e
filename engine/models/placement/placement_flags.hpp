// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/placement/gpu_layers.hpp"
#include "engine/models/pooling.hpp"
#include "engine/support/generation.hpp"
#include "engine/tensor/element_type.hpp"

namespace splitscope {

enum class SplitMode : std::uint8_t { none, layer, row };
enum class FlashAttention : std::uint8_t { off, on, automatic };

/// Which layers are offloaded first (placement.md §2).
enum class LayerRule : std::uint8_t {
    blocks_first,  ///< until December 2025: the output layer only when everything is accelerated
    output_first,  ///< since then: the output layer counts as one and goes first
};

/// The rule of programs with this scheduler generation.
LayerRule layer_rule_of(Generation generation);

/// "regex=buffer type" (placement.md §4).
struct OverrideRule {
    std::string pattern;  ///< ECMAScript, searched in the whole tensor name
    std::string target;   ///< name of a default buffer type
    std::string origin;   ///< the originating switch, for messages
    friend bool operator==(const OverrideRule&, const OverrideRule&) = default;
};

/// The switches of placement.md §10; default_flags() returns the defaults of each program and generation.
struct PlacementFlags {
    GpuLayers gpu_layers = GpuLayers::all();
    std::vector<std::string> devices;  ///< names in order; empty = all; "none" = none
    SplitMode split_mode = SplitMode::layer;
    std::int32_t main_gpu = 0;
    std::vector<float> tensor_split;
    std::vector<OverrideRule> overrides;  ///< in command-line order, the first match wins
    bool kv_offload = true;
    ElementType cache_type_k = ElementType::f16;
    ElementType cache_type_v = ElementType::f16;
    std::uint32_t context = 0;  ///< cells of the KV cache; 0 = the training context
    std::uint32_t batch = 2048;
    std::uint32_t micro_batch = 512;
    std::uint32_t sequences = 1;
    /// Result rows kept per sequence; 0 = one for every token of a batch.
    std::uint32_t results_per_sequence = 0;
    bool embeddings = false;  ///< compute embeddings (--embeddings)
    std::optional<Pooling> pooling;
    bool unified_cache = false;
    bool full_window_cache = false;
    FlashAttention flash_attention = FlashAttention::automatic;
    bool op_offload = true;
    bool pipeline = false;  ///< force pipelining, regardless of placement.md §8
    bool memory_map = true;
    bool repack = true;
    bool pinned_host = true;
    LayerRule layer_rule = LayerRule::output_first;
    friend bool operator==(const PlacementFlags&, const PlacementFlags&) = default;
};

class NamePattern;
/// The compiled expression of a rule, with bounded matching time. Throws Error(usage).
NamePattern override_pattern(const OverrideRule& rule);
/// Parses "re=type,re=type". Throws Error(usage) for a missing "=" or an invalid expression.
std::vector<OverrideRule> parse_overrides(std::string_view text);
/// The rules of --cpu-moe and --n-cpu-moe.
OverrideRule cpu_experts_rule();
std::vector<OverrideRule> cpu_experts_rules(std::uint32_t blocks);
/// Appends them after the user's rules: the first match wins.
void add_cpu_experts(std::vector<OverrideRule>& rules, bool all, std::uint32_t blocks);

/// The number of cells is rounded up to a multiple of this (placement.md §6).
inline constexpr std::uint32_t kCellMultiple = 256;

/// The context after rounding, with derived values (placement.md §6).
struct ContextSize {
    std::uint32_t cells = 0;  ///< per stream
    std::uint32_t streams = 1;
    std::uint32_t batch = 0;
    std::uint32_t micro_batch = 0;
};
/// Only batches of causal models are limited by the context.
ContextSize context_size(const PlacementFlags& flags, std::uint32_t trained_context, bool causal);

}  // namespace splitscope
