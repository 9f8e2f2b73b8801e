// SPDX-License-Identifier: MIT
#include "engine/models/placement/cache_layout.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/compressed_keys.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/models/selective_keys.hpp"
#include "engine/models/trunk_blocks.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

class Metadata {
 public:
    explicit Metadata(const GgufFile& file)
        : file_(file),
          name_(file.string_value("general.architecture").value_or("")),
          architecture_(architecture_or_default(name_)) {}

    const Architecture& architecture() const { return architecture_; }
    std::optional<std::uint64_t> number(std::string_view key, std::uint64_t most = kMaxExtent) const {
        if (!reads_key(architecture_, key)) return std::nullopt;
        const std::string name = full_name(key);
        const auto value = file_.unsigned_value(name);
        if (value && *value > most) {
            throw Error(ErrorKind::bad_file, msg::kMoreThan(*value, most), place_of_key(file_.path(), name),
                        msg::kConvertAgain);
        }
        return value;
    }
    /// A scalar for all blocks, or an array with one entry each; missing entries become `fallback`.
    std::vector<std::uint64_t> per_block(std::string_view key, std::size_t blocks,
                                         const std::vector<std::uint64_t>& fallback) const {
        const GgufValue* value = file_.find(full_name(key));
        if (value == nullptr) return fallback;
        const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(value);
        if (array == nullptr) return std::vector<std::uint64_t>(blocks, number(key).value_or(0));
        std::vector<std::uint64_t> out = fallback;
        std::visit(
            [&](const auto& elements) {
                using Element = typename std::decay_t<decltype(elements)>::value_type;
                if constexpr (std::is_integral_v<Element>) {
                    for (std::size_t i = 0; i < std::min(blocks, elements.size()); ++i) {
                        // NOLINTNEXTLINE(bugprone-signed-char-misuse): bytes are numbers here
                        const auto element = static_cast<std::int64_t>(elements[i]);
                        out[i] = std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(element, 0)),
                                          kMaxExtent);
                    }
                }
            },
            (*array)->values);
        return out;
    }
    bool has_array(std::string_view key) const {
        const GgufValue* value = file_.find(full_name(key));
        return value != nullptr && std::holds_alternative<std::shared_ptr<const GgufArray>>(*value);
    }

    bool flag(std::string_view key, bool fallback) const {
        return file_.bool_value(full_name(key)).value_or(fallback);
    }

 private:
    std::string full_name(std::string_view key) const { return fmt::format("{}.{}", name_, key); }

    const GgufFile& file_;
    std::string name_;
    const Architecture& architecture_;
};

/// The width of the window of blocks that slide.
std::optional<std::uint64_t> window_of(const Metadata& metadata, const WindowRule& rule, std::size_t trunk) {
    if (rule.ignored || (rule.layers > 0 && rule.layers != trunk)) return std::nullopt;
    const auto given = metadata.number("attention.sliding_window");
    const std::uint64_t width = given.value_or(rule.width);
    if (width == 0 && !(rule.kept_at_zero && given)) return std::nullopt;
    return rule.forced_width > 0 ? rule.forced_width : width;
}

std::vector<bool> sliding_blocks(const Metadata& metadata, std::size_t blocks, std::size_t trunk) {
    std::vector<bool> slides(blocks, false);
    const WindowRule& rule = metadata.architecture().window;
    if (!window_of(metadata, rule, trunk)) return slides;
    constexpr std::string_view pattern = "attention.sliding_window_pattern";
    if (rule.all) return std::vector<bool>(blocks, true);
    if (metadata.has_array(pattern)) {
        const auto flags = metadata.per_block(pattern, blocks, std::vector<std::uint64_t>(blocks, 0));
        for (std::size_t b = 0; b < blocks; ++b) slides[b] = flags[b] != 0;
        return slides;
    }
    // Of unknown architectures, only blocks that the file names slide.
    const std::uint64_t period =
        metadata.number(pattern).value_or(rule.kind == WindowKind::none ? 1 : rule.period);
    for (std::size_t b = 0; b < trunk; ++b) {
        slides[b] = period == 0 || (rule.full_first ? b % period != 0 : b % period + 1 < period);
    }
    return slides;
}

/// The cache of each block.
struct BlockUses {
    bool attention = false;
    bool recurrent = false;
};

BlockUses uses_by_tensors(const GgufFile& file, std::size_t block) {
    BlockUses uses;
    for (const char* part : {"attn_k.weight", "attn_qkv.weight", "attn_kv_a_mqa.weight"})
        uses.attention |= file.find_tensor(fmt::format("blk.{}.{}", block, part)).has_value();
    uses.recurrent = file.find_tensor(fmt::format("blk.{}.ssm_conv1d.weight", block)).has_value();
    return uses;
}

std::vector<BlockUses> uses_of_blocks(const GgufFile& file, const Metadata& metadata,
                                      const MemoryRules& rules, const std::vector<std::uint64_t>& kv_heads,
                                      std::size_t trunk) {
    const std::size_t blocks = kv_heads.size();
    std::vector<BlockUses> uses(blocks);
    constexpr std::string_view listed = "attention.recurrent_layers";
    const std::uint64_t interval = metadata.number("full_attention_interval").value_or(rules.interval);
    const std::vector<std::uint64_t> none(blocks, 0);
    const auto recurrent = metadata.per_block(listed, blocks, none);
    const auto widths = rules.feeds_alone ? metadata.per_block("feed_forward_length", blocks, none) : none;
    for (std::size_t b = 0; b < blocks; ++b) {
        if (widths[b] > 0) continue;
        if (b >= trunk) {
            uses[b].attention = rules.caches_mtp && rules.scheme != CacheScheme::compressed_keys;
            continue;
        }
        switch (rules.scheme) {
            case CacheScheme::by_tensors:
                uses[b] = uses_by_tensors(file, b);
                break;
            case CacheScheme::recurrent:
                uses[b].recurrent = true;
                break;
            case CacheScheme::without_heads:
                uses[b].recurrent = kv_heads[b] == 0;
                uses[b].attention = kv_heads[b] > 0;
                break;
            case CacheScheme::by_interval:
                uses[b].recurrent =
                    metadata.has_array(listed) ? recurrent[b] != 0 : interval == 0 || (b + 1) % interval != 0;
                uses[b].attention = !uses[b].recurrent;
                break;
            case CacheScheme::every_block:
                uses[b].attention = true;
                break;
            case CacheScheme::none:
            case CacheScheme::compressed_keys:
                break;
        }
    }
    return uses;
}

/// Builds the list of tensors.
class CacheWriter {
 public:
    CacheWriter(CacheLayout& layout, const PlacementFlags& flags) : layout_(layout), flags_(flags) {}

    void add(std::string name, std::size_t block, CacheKind kind, ElementType type, std::uint64_t row,
             std::uint64_t cells) {
        row = std::min(row, kMaxExtent * 4);
        if (row == 0) return;
        const auto bytes = static_cast<std::uint64_t>(row_bytes(type, static_cast<std::int64_t>(row)));
        layout_.tensors.push_back(
            {std::move(name), static_cast<std::int32_t>(block), kind, type, row, cells, bytes * cells});
    }
    void add_state(std::string_view letter, std::size_t block, std::uint64_t row) {
        add(fmt::format("cache_{}_l{}", letter, block), block, CacheKind::recurrent, ElementType::f32, row,
            std::max(flags_.sequences, 1U));
    }

 private:
    CacheLayout& layout_;
    const PlacementFlags& flags_;
};

void add_recurrent(CacheWriter& writer, const Metadata& metadata, const MemoryRules& rules, std::size_t block,
                   std::uint64_t heads, std::uint64_t head) {
    const auto number = [&](std::string_view key) { return metadata.number(key).value_or(0); };
    const std::uint64_t kernel = number("ssm.conv_kernel");
    const std::uint64_t steps = kernel > 0 ? kernel - 1 : 0;
    const std::uint64_t width = number("embedding_length");
    switch (rules.state) {
        case StateKind::scan: {
            const std::uint64_t inner = number("ssm.inner_size");
            const std::uint64_t state = number("ssm.state_size");
            const std::uint64_t groups = number("ssm.group_count");
            writer.add_state("r", block, steps * std::min(inner + 2 * groups * state, kMaxExtent));
            writer.add_state("s", block, state * inner);
            return;
        }
        case StateKind::rwkv: {
            const std::uint64_t shifts = metadata.number("token_shift_count").value_or(rules.token_shifts);
            writer.add_state("r", block, shifts * width);
            writer.add_state("s", block, width * number("wkv.head_size"));
            return;
        }
        case StateKind::delta_attention: {
            const std::uint64_t size = number("kda.head_dim");
            writer.add_state("r", block, 3 * (kernel > 0 ? steps : 3) * heads * size);
            writer.add_state("s", block, size * size * heads);
            return;
        }
        case StateKind::convolution: {
            const std::uint64_t taps = number("shortconv.l_cache");
            writer.add_state("r", block, width * (taps > 0 ? taps - 1 : 0));
            return;
        }
        case StateKind::linear:
            writer.add_state("s", block, head * head * heads);
            return;
    }
}

/// State of a block's n-gram embeddings (qwen4exp).
void add_embedding_states(CacheWriter& writer, const GgufFile& file, const Metadata& metadata,
                          std::size_t blocks) {
    for (std::size_t b = 0; b < blocks; ++b) {
        const auto weight = file.find_tensor(fmt::format("blk.{}.ple_conv1d.weight", b));
        if (!weight) continue;
        const Shape& ne = file.tensors()[*weight].ne;
        const auto taps = static_cast<std::uint64_t>(std::max<std::int64_t>(ne[0] - 1, 0));
        const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(ne[1], 0));
        writer.add_state("ple_r", b, taps * metadata.number("ple.ngram_size").value_or(0) * width);
    }
}

/// Windows of keys for all blocks, and for some blocks compressed entries of 4 or 128 tokens; one set per
/// sequence (deepseek4). Blocks for multi-token prediction, from `own` on, have no states.
void add_compressed(CacheWriter& writer, const Metadata& metadata, const PlacementFlags& flags,
                    const ContextSize& context, std::uint64_t window_cells,
                    const std::vector<std::uint64_t>& kv_heads, std::uint64_t head, std::size_t own) {
    constexpr std::uint64_t kFew = 4;
    constexpr std::uint64_t kMany = 128;
    const std::size_t blocks = kv_heads.size();
    const std::uint64_t sequences = std::max(flags.sequences, 1U);
    const std::uint64_t indexer = metadata.number("attention.indexer.key_length").value_or(0);
    const auto ratios =
        metadata.per_block("attention.compress_ratios", blocks, std::vector<std::uint64_t>(blocks, 0));
    const auto cells = [&](std::uint64_t ratio) {
        return round_up<std::uint64_t>((context.cells + ratio - 1) / ratio, kCompressedCellMultiple) *
               sequences;
    };
    for (std::size_t b = 0; b < blocks; ++b) {
        writer.add(fmt::format("cache_k_l{}", b), b, CacheKind::window, flags.cache_type_k,
                   head * kv_heads[b], window_cells * sequences);
        const std::uint64_t ratio = ratios[b];
        if (ratio != kFew && ratio != kMany) continue;
        writer.add(fmt::format("cache_k_l{}.compressed", b), b, CacheKind::attention, flags.cache_type_k,
                   head * kv_heads[b], cells(ratio));
        const auto add_states = [&](std::string_view what, std::uint64_t rows, std::uint64_t row) {
            if (b >= own) return;
            for (const char* part : {"kv", "score"})
                writer.add_state(fmt::format("{}_{}", what, part), b, rows * row);
        };
        if (ratio == kMany) {
            add_states("hca", kMany, head);
            continue;
        }
        writer.add(fmt::format("cache_k_l{}.indexer", b), b, CacheKind::attention, flags.cache_type_k,
                   indexer, cells(ratio));
        add_states("csa", 2 * kFew, 2 * head);
        add_states("lid", 2 * kFew, 2 * indexer);
    }
}

bool has_indexer(const Metadata& metadata, IndexerBlocks rule, std::size_t block, std::size_t blocks,
                 const BlockUses& uses) {
    constexpr std::string_view kTypes = "attention.indexer.types";
    switch (rule) {
        case IndexerBlocks::none:
            return false;
        case IndexerBlocks::all:
            return true;
        case IndexerBlocks::with_attention:
            return uses.attention;
        case IndexerBlocks::after_dense:
            return block >= metadata.number("leading_dense_block_count").value_or(0);
        case IndexerBlocks::by_types:
            // Arrays may be shorter; without one, all blocks have an indexer.
            return metadata.per_block(
                       kTypes, blocks,
                       std::vector<std::uint64_t>(blocks, metadata.has_array(kTypes) ? 0 : 1))[block] != 0;
    }
    return false;
}

}  // namespace

std::uint32_t block_count(const GgufFile& file) {
    return static_cast<std::uint32_t>(Metadata(file).number("block_count", kMaxLayers).value_or(0));
}

std::uint32_t trained_context(const GgufFile& file) {
    return static_cast<std::uint32_t>(Metadata(file).number("context_length").value_or(0));
}

std::vector<bool> sliding_blocks(const GgufFile& file) {
    return sliding_blocks(Metadata(file), block_count(file), trunk_blocks(file));
}

CacheLayout cache_layout(const GgufFile& file, const PlacementFlags& flags, bool flash_attention) {
    const Metadata metadata(file);
    const Architecture& row = metadata.architecture();
    const MemoryRules& rules = row.memory;
    CacheLayout layout;
    const bool causal = !row.never_causal && metadata.flag("attention.causal", true);
    layout.context = context_size(flags, trained_context(file), causal);
    const std::size_t blocks = block_count(file);
    if (rules.scheme == CacheScheme::none) return layout;
    const std::uint64_t shared =
        rules.shares_last ? metadata.number("attention.shared_kv_layers").value_or(0) : 0;
    const std::size_t own = trunk_blocks(file);
    std::size_t cached = rules.caches_mtp ? blocks : own;
    cached -= std::min<std::size_t>(cached, shared);
    if (rules.cached_blocks > 0) cached = std::min<std::size_t>(cached, rules.cached_blocks);

    const auto heads =
        metadata.per_block("attention.head_count", blocks, std::vector<std::uint64_t>(blocks, 0));
    const auto kv_heads = metadata.per_block("attention.head_count_kv", blocks, heads);
    const std::uint64_t width = metadata.number("embedding_length").value_or(0);
    const std::uint64_t max_heads = heads.empty() ? 0 : *std::ranges::max_element(heads);
    const std::uint64_t head = max_heads == 0 ? 0 : width / max_heads;
    const std::uint64_t head_k = metadata.number("attention.key_length").value_or(head);
    const std::uint64_t head_v = metadata.number("attention.value_length").value_or(head);
    const std::uint64_t window_k = metadata.number("attention.key_length_swa").value_or(head_k);
    const std::uint64_t window_v = metadata.number("attention.value_length_swa").value_or(head_v);
    const bool compressed = metadata.number("attention.key_length_mla").value_or(0) > 0;
    const std::uint64_t indexer = metadata.number("attention.indexer.key_length").value_or(0);
    const auto slides = sliding_blocks(metadata, blocks, own);
    const auto uses = uses_of_blocks(file, metadata, rules, kv_heads, own);
    const ContextSize& context = layout.context;
    CacheWriter writer(layout, flags);

    const bool windows_of_keys = rules.scheme == CacheScheme::compressed_keys;
    if (windows_of_keys || std::ranges::find(slides, true) != slides.end()) {
        const std::uint64_t window = window_of(metadata, row.window, own).value_or(0);
        const bool together = flags.unified_cache && !windows_of_keys;
        const std::uint64_t reach =
            window * (together ? std::max(flags.sequences, 1U) : 1) + context.micro_batch;
        const std::uint64_t needed = (std::min<std::uint64_t>(context.cells, reach) + 255) / 256 * 256;
        layout.window_cells = flags.full_window_cache ? context.cells : static_cast<std::uint32_t>(needed);
    }
    std::uint64_t widest_v = 0;
    for (std::size_t b = 0; b < blocks; ++b)
        widest_v = std::max(widest_v, (slides[b] ? window_v : head_v) * kv_heads[b]);
    for (std::size_t b = 0; b < cached; ++b) {
        const std::uint64_t first_heads = heads.empty() ? 0 : heads.front();
        if (uses[b].recurrent && b < own) add_recurrent(writer, metadata, rules, b, first_heads, head_k);
        // llama.cpp fails to allocate a cache without a size.
        if (b >= own && uses[b].attention && kv_heads[b] == 0) layout.notes.push_back(msg::kNoHeads);
        if (!uses[b].attention || kv_heads[b] == 0) continue;
        const std::uint64_t cells =
            std::uint64_t{slides[b] ? layout.window_cells : context.cells} * context.streams;
        const CacheKind kind = slides[b] ? CacheKind::window : CacheKind::attention;
        writer.add(fmt::format("cache_k_l{}", b), b, kind, flags.cache_type_k,
                   (slides[b] ? window_k : head_k) * kv_heads[b], cells);
        if (!compressed) {
            writer.add(fmt::format("cache_v_l{}", b), b, kind, flags.cache_type_v,
                       flash_attention ? (slides[b] ? window_v : head_v) * kv_heads[b] : widest_v, cells);
        }
        if (!has_indexer(metadata, rules.indexer, b, blocks, uses[b])) continue;
        writer.add(fmt::format("cache_k_l{}.indexer", b), b, CacheKind::attention, flags.cache_type_k,
                   indexer, std::uint64_t{context.cells} * context.streams);
        // A regular cache: without compression it also has values, although they are not written.
        if (!compressed && rules.indexer == IndexerBlocks::after_dense) {
            writer.add(fmt::format("cache_v_l{}.indexer", b), b, CacheKind::attention, flags.cache_type_v,
                       head_v, std::uint64_t{context.cells} * context.streams);
        }
    }
    if (windows_of_keys)
        add_compressed(writer, metadata, flags, context, layout.window_cells, kv_heads, window_k, own);
    add_embedding_states(writer, file, metadata, blocks);
    if (layout.tensors.empty() && blocks > 0) layout.notes.push_back(msg::kNoKnownCache);
    return layout;
}

}  // namespace splitscope
