// SPDX-License-Identifier: MIT
#include "engine/models/placement/program_defaults.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/support/shell_words.hpp"

namespace splitscope {
namespace {

constexpr std::array<std::string_view, kPrograms.size()> kNames = {"llama-server", "llama-cli",
                                                                   "llama-bench"};

/// Tests with 512 prompt tokens and with 128 generated tokens, each in its own context.
constexpr std::uint32_t kBenchContext = 512;
/// Default number of slots of the server.
constexpr std::uint32_t kServerSlots = 4;

std::uint32_t default_context(Program program, Generation generation) {
    if (program == Program::llama_bench) return kBenchContext;
    switch (generation) {
        case Generation::g2024_01:
            return 512;
        case Generation::g2025_06:
            return 4096;
        default:
            return 0;
    }
}

GpuLayers default_layers(Program program, Generation generation, bool metal) {
    if (generation == Generation::g2026_08 || metal) return GpuLayers::all();
    return program == Program::llama_bench ? 99 : 0;
}

/// Since July 2025, sequences have separate caches by default.
bool has_streams(Generation generation) {
    return generation == Generation::g2026_08;
}

/// The server of that time reserves one sequence in addition to those of -np.
bool adds_sequence(Program program, Generation generation) {
    return program == Program::llama_server && generation == Generation::g2024_10;
}

bool same_rule(const OverrideRule& a, const OverrideRule& b) {
    return a.pattern == b.pattern && a.target == b.target;
}

/// Rules of experts at the end have short forms, which programs put after the other rules.
void add_overrides(const PlacementFlags& flags, std::vector<std::string>& words) {
    const std::span<const OverrideRule> rules(flags.overrides);
    std::size_t plain = rules.size();
    std::vector<std::string> short_forms;
    if (flags.layer_rule == LayerRule::output_first) {
        const OverrideRule first = cpu_experts_rules(1).front();
        std::size_t blocks = 1;
        while (blocks <= rules.size() && !same_rule(rules[rules.size() - blocks], first)) ++blocks;
        if (blocks <= rules.size() &&
            std::ranges::equal(rules.last(blocks), cpu_experts_rules(static_cast<std::uint32_t>(blocks)),
                               same_rule)) {
            plain -= blocks;
            short_forms.push_back(fmt::format("-ncmoe {}", blocks));
        }
        if (plain > 0 && same_rule(rules[plain - 1], cpu_experts_rule())) {
            --plain;
            short_forms.insert(short_forms.begin(), "-cmoe");
        }
    }
    for (const OverrideRule& rule : rules.first(plain))
        words.push_back("-ot " + shell_quoted(fmt::format("{}={}", rule.pattern, rule.target)));
    std::ranges::move(short_forms, std::back_inserter(words));
}

}  // namespace

std::string_view name_of(Program program) {
    return kNames[static_cast<std::size_t>(program)];
}

std::optional<Program> program_named(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return kPrograms[static_cast<std::size_t>(found - kNames.begin())];
}

PlacementFlags default_flags(Program program, Generation generation, bool metal) {
    PlacementFlags flags;
    flags.gpu_layers = default_layers(program, generation, metal);
    flags.context = default_context(program, generation);
    flags.batch = generation == Generation::g2024_01 ? 512 : 2048;
    flags.micro_batch = 512;
    flags.flash_attention =
        generation == Generation::g2026_08 ? FlashAttention::automatic : FlashAttention::off;
    flags.layer_rule = layer_rule_of(generation);
    // The server (and llama-cli, which runs on it) keeps one result per sequence.
    if (generation == Generation::g2026_08 && program != Program::llama_bench) flags.results_per_sequence = 1;
    set_parallel(flags, program, generation, std::nullopt, std::nullopt);
    return flags;
}

void set_parallel(PlacementFlags& flags, Program program, Generation generation,
                  std::optional<std::int32_t> sequences, std::optional<bool> unified) {
    const bool chosen = sequences && *sequences > 0;
    const bool automatic = !chosen && program == Program::llama_server && generation == Generation::g2026_08;
    flags.sequences = chosen ? static_cast<std::uint32_t>(*sequences) : automatic ? kServerSlots : 1;
    if (adds_sequence(program, generation)) ++flags.sequences;
    flags.unified_cache = !has_streams(generation) || automatic || unified.value_or(false);
}

std::uint32_t max_results(const PlacementFlags& flags, std::uint32_t batch) {
    const std::uint64_t most = std::max(batch, 1U);
    const bool pools = flags.embeddings || flags.pooling.value_or(Pooling::none) != Pooling::none;
    if (flags.results_per_sequence == 0 || pools) return static_cast<std::uint32_t>(most);
    const std::uint64_t results = std::uint64_t{std::max(flags.sequences, 1U)} * flags.results_per_sequence;
    return static_cast<std::uint32_t>(std::min(most, results));
}

std::vector<std::string> switches_of(const PlacementFlags& flags) {
    std::vector<std::string> words;
    const auto layers = flags.gpu_layers.count();
    // Older programs do not accept 'all'.
    words.push_back(layers                                        ? fmt::format("-ngl {}", *layers)
                    : flags.layer_rule == LayerRule::blocks_first ? "-ngl 999"
                                                                  : "-ngl all");
    words.push_back(fmt::format("-c {}", flags.context));
    words.push_back(fmt::format("-b {}", flags.batch));
    words.push_back(fmt::format("-ub {}", flags.micro_batch));
    words.emplace_back(flags.flash_attention == FlashAttention::on    ? "-fa on"
                       : flags.flash_attention == FlashAttention::off ? "-fa off"
                                                                      : "-fa auto");
    if (flags.cache_type_k != ElementType::f16)
        words.push_back(fmt::format("-ctk {}", name_of(flags.cache_type_k)));
    if (flags.cache_type_v != ElementType::f16)
        words.push_back(fmt::format("-ctv {}", name_of(flags.cache_type_v)));
    words.push_back(fmt::format("-np {}", flags.sequences));
    if (flags.unified_cache && flags.sequences > 1) words.emplace_back("-kvu");
    if (flags.embeddings) words.emplace_back("--embeddings");
    if (flags.pooling) words.push_back(fmt::format("--pooling {}", name_of(*flags.pooling)));
    if (flags.full_window_cache) words.emplace_back("--swa-full");
    if (!flags.devices.empty())
        words.push_back("-dev " + shell_quoted(fmt::format("{}", fmt::join(flags.devices, ","))));
    if (flags.split_mode != SplitMode::layer)
        words.emplace_back(flags.split_mode == SplitMode::none ? "-sm none" : "-sm row");
    if (flags.main_gpu != 0) words.push_back(fmt::format("-mg {}", flags.main_gpu));
    if (!flags.tensor_split.empty())
        words.push_back(fmt::format("-ts {}", fmt::join(flags.tensor_split, ",")));
    add_overrides(flags, words);
    if (!flags.kv_offload) words.emplace_back("-nkvo");
    if (!flags.op_offload) words.emplace_back("-nopo");
    if (!flags.memory_map) words.emplace_back("--no-mmap");
    if (!flags.repack) words.emplace_back("--no-repack");
    if (!flags.pinned_host) words.emplace_back("--no-host");
    return words;
}

std::string command_line_of(const PlacementFlags& flags) {
    return fmt::format("{}", fmt::join(switches_of(flags), " "));
}

std::string command_line_of(const PlacementFlags& flags, Program program, Generation generation) {
    PlacementFlags given = flags;
    if (adds_sequence(program, generation) && given.sequences > 1) --given.sequences;
    if (!has_streams(generation)) given.unified_cache = false;
    return command_line_of(given);
}

}  // namespace splitscope
