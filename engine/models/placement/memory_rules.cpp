// SPDX-License-Identifier: MIT
#include "engine/models/placement/memory_rules.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

using enum CacheScheme;

constexpr CacheWindow last_full(std::uint32_t period, std::uint32_t fallback = 0) {
    return {.period = period, .fallback = fallback};
}
constexpr CacheWindow first_full(std::uint32_t period) {
    return {.period = period, .first_is_full = true};
}

constexpr std::array kRules = {
    // Architectures without a cache.
    MemoryRules{.architecture = "bert", .scheme = none}, MemoryRules{.architecture = "dream", .scheme = none},
    MemoryRules{.architecture = "eurobert", .scheme = none},
    MemoryRules{.architecture = "gemma-embedding", .scheme = none},
    MemoryRules{.architecture = "jina-bert-v2", .scheme = none},
    MemoryRules{.architecture = "jina-bert-v3", .scheme = none},
    MemoryRules{.architecture = "llada", .scheme = none},
    MemoryRules{.architecture = "llada-moe", .scheme = none},
    MemoryRules{.architecture = "modern-bert", .scheme = none},
    MemoryRules{.architecture = "neo-bert", .scheme = none},
    MemoryRules{.architecture = "nomic-bert", .scheme = none},
    MemoryRules{.architecture = "nomic-bert-moe", .scheme = none},
    MemoryRules{.architecture = "rnd1", .scheme = none},
    MemoryRules{.architecture = "wavtokenizer-dec", .scheme = none},

    // Sliding windows.
    MemoryRules{.architecture = "afmoe", .window = last_full(4)},
    MemoryRules{.architecture = "cohere2", .window = last_full(4)},
    MemoryRules{.architecture = "cohere2moe", .window = first_full(4)},
    MemoryRules{.architecture = "exaone-moe", .window = last_full(4, 128)},
    MemoryRules{.architecture = "exaone4", .window = {.period = 4, .fallback = 4096, .only_of = 64}},
    MemoryRules{.architecture = "gemma2", .window = last_full(2, 4096)},
    MemoryRules{.architecture = "gemma3", .window = last_full(6)},
    MemoryRules{.architecture = "gemma3n", .window = last_full(5), .cached_blocks = 20},
    MemoryRules{.architecture = "gpt-oss", .window = last_full(2)},
    MemoryRules{.architecture = "laguna", .window = first_full(4)},
    MemoryRules{.architecture = "llama4", .window = {.period = 4, .fixed = 8192, .fallback = 8192}},
    MemoryRules{.architecture = "mellum", .window = last_full(4)},
    MemoryRules{.architecture = "olmo2", .window = last_full(4)},
    MemoryRules{.architecture = "phi3", .window = {.ignored = true}},
    MemoryRules{.architecture = "plamo3", .window = last_full(8)},
    MemoryRules{.architecture = "smallthinker",
                .window = {.period = 4, .first_is_full = true, .fixed = 4096}},

    // Recurrent states, with or without attention.
    MemoryRules{.architecture = "mamba", .scheme = recurrent},
    MemoryRules{.architecture = "mamba2", .scheme = recurrent},
    MemoryRules{.architecture = "rwkv6", .scheme = recurrent, .state = StateKind::rwkv},
    MemoryRules{.architecture = "rwkv6qwen2", .scheme = recurrent, .state = StateKind::rwkv},
    MemoryRules{.architecture = "rwkv7", .scheme = recurrent, .state = StateKind::rwkv},
    MemoryRules{.architecture = "arwkv7", .scheme = recurrent, .state = StateKind::rwkv},
    MemoryRules{.architecture = "granitehybrid", .scheme = without_heads},
    MemoryRules{.architecture = "jamba", .scheme = without_heads},
    MemoryRules{.architecture = "plamo2", .scheme = without_heads},
    MemoryRules{.architecture = "lfm2",
                .scheme = without_heads,
                .state = StateKind::convolution,
                .window = {.all = true}},
    MemoryRules{.architecture = "lfm2moe",
                .scheme = without_heads,
                .state = StateKind::convolution,
                .window = {.ignored = true}},
    MemoryRules{.architecture = "bailingmoe3", .scheme = without_heads, .state = StateKind::delta_attention},
    MemoryRules{.architecture = "kimi-k3", .scheme = without_heads, .state = StateKind::delta_attention},
    MemoryRules{.architecture = "kimi-linear", .scheme = without_heads, .state = StateKind::delta_attention},
    MemoryRules{
        .architecture = "minimax-01", .scheme = by_interval, .state = StateKind::linear, .interval = 8},
    MemoryRules{.architecture = "qwen35", .scheme = by_interval, .caches_predicted = false},
    MemoryRules{.architecture = "qwen35moe", .scheme = by_interval, .caches_predicted = false},
    MemoryRules{.architecture = "qwen3next", .scheme = by_interval, .caches_predicted = false},
    MemoryRules{.architecture = "qwen4exp",
                .scheme = by_interval,
                .indexer = IndexerBlocks::with_attention,
                .caches_predicted = false},

    // Indexer keys and other caches.
    MemoryRules{.architecture = "deepseek32", .indexer = IndexerBlocks::all, .caches_predicted = false},
    MemoryRules{.architecture = "deepseek4", .scheme = compressed_keys},
    MemoryRules{.architecture = "dots3note", .indexer = IndexerBlocks::by_types},
    MemoryRules{.architecture = "glm-dsa", .indexer = IndexerBlocks::by_types, .caches_predicted = false},
    MemoryRules{.architecture = "hy_v3", .caches_predicted = false},
    MemoryRules{.architecture = "hy_v4", .indexer = IndexerBlocks::by_types, .caches_predicted = false},
    MemoryRules{.architecture = "hrm_text", .scheme = every_block},
    MemoryRules{.architecture = "mimo2", .caches_predicted = false},
    MemoryRules{.architecture = "minimax-m3", .indexer = IndexerBlocks::after_dense},
    MemoryRules{.architecture = "step35", .caches_predicted = false},
    MemoryRules{.architecture = "t5", .scheme = every_block},
    MemoryRules{.architecture = "t5encoder", .scheme = every_block}};

constexpr std::array<std::string_view, 3> kDoubledHeads = {"codeshell", "gemma3n", "gemma4"};
constexpr std::array<std::string_view, 10> kWithoutHead = {
    "bert",        "bitnet",   "eurobert",   "jina-bert-v2",   "jina-bert-v3",
    "modern-bert", "neo-bert", "nomic-bert", "nomic-bert-moe", "wavtokenizer-dec"};
constexpr std::array<std::string_view, 8> kScanning = {
    "falcon-h1", "granitehybrid", "jamba", "mamba", "mamba2", "nemotron_h", "nemotron_h_moe", "plamo2"};

template <std::size_t N>
bool lists(const std::array<std::string_view, N>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

}  // namespace

const MemoryRules& memory_rules(std::string_view architecture) {
    static constexpr MemoryRules unlisted{};
    const auto found = std::ranges::find(kRules, architecture, &MemoryRules::architecture);
    return found == kRules.end() ? unlisted : *found;
}

HeadRule head_rule(std::string_view architecture) {
    if (lists(kDoubledHeads, architecture)) return HeadRule::doubled;
    return lists(kWithoutHead, architecture) ? HeadRule::none : HeadRule::tied;
}

bool scans_state(std::string_view architecture) {
    return lists(kScanning, architecture);
}

}  // namespace splitscope
