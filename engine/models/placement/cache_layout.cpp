// SPDX-License-Identifier: MIT
#include "engine/models/placement/cache_layout.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/limits.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/placement/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

struct WindowPeriod {
    std::string_view architecture;
    std::uint32_t period;
};
/// Families whose files do not say which blocks slide: of each period all but the last do.
constexpr std::array kWindowPeriods = {WindowPeriod{"gemma2", 2},  WindowPeriod{"gemma3", 6},
                                       WindowPeriod{"gemma3n", 5}, WindowPeriod{"gpt-oss", 2},
                                       WindowPeriod{"cohere2", 4}, WindowPeriod{"exaone4", 4}};

class Metadata {
 public:
    explicit Metadata(const GgufFile& file)
        : file_(file), architecture_(file.string_value("general.architecture").value_or("")) {}

    const std::string& architecture() const { return architecture_; }
    std::optional<std::uint64_t> number(std::string_view key, std::uint64_t most = kMaxExtent) const {
        const std::string name = fmt::format("{}.{}", architecture_, key);
        const auto value = file_.unsigned_value(name);
        if (value && *value > most) {
            throw Error(ErrorKind::bad_file, msg::kMoreThan(*value, most), place_of_key(file_.path(), name),
                        msg::kConvertAgain);
        }
        return value;
    }
    /// A scalar for all blocks or an array with one each; what is missing becomes `otherwise`.
    std::vector<std::uint64_t> per_block(std::string_view key, std::size_t blocks,
                                         const std::vector<std::uint64_t>& otherwise) const {
        const GgufValue* value = file_.find(fmt::format("{}.{}", architecture_, key));
        if (value == nullptr) return otherwise;
        const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(value);
        if (array == nullptr) return std::vector<std::uint64_t>(blocks, number(key).value_or(0));
        std::vector<std::uint64_t> out = otherwise;
        std::visit(
            [&](const auto& elements) {
                using Element = typename std::decay_t<decltype(elements)>::value_type;
                if constexpr (std::is_integral_v<Element>) {
                    for (std::size_t i = 0; i < std::min(blocks, elements.size()); ++i) {
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
        const GgufValue* value = file_.find(fmt::format("{}.{}", architecture_, key));
        return value != nullptr && std::holds_alternative<std::shared_ptr<const GgufArray>>(*value);
    }

 private:
    const GgufFile& file_;
    std::string architecture_;
};

std::vector<bool> sliding_blocks(const Metadata& metadata, std::size_t blocks) {
    std::vector<bool> slides(blocks, false);
    if (metadata.number("attention.sliding_window")
            .value_or(metadata.architecture() == "gemma2" ? 4096 : 0) == 0) {
        return slides;
    }
    constexpr std::string_view pattern = "attention.sliding_window_pattern";
    if (metadata.has_array(pattern)) {
        const auto flags = metadata.per_block(pattern, blocks, std::vector<std::uint64_t>(blocks, 0));
        for (std::size_t b = 0; b < blocks; ++b) slides[b] = flags[b] != 0;
        return slides;
    }
    const auto known =
        std::ranges::find(kWindowPeriods, metadata.architecture(), &WindowPeriod::architecture);
    const std::uint64_t period =
        metadata.number(pattern).value_or(known == kWindowPeriods.end() ? 1 : known->period);
    if (period == 0) return slides;
    for (std::size_t b = 0; b < blocks; ++b) slides[b] = b % period + 1 < period;
    return slides;
}

/// What the tensors of each block say it does.
struct BlockUses {
    bool attention = false;
    bool recurrent = false;
};

std::vector<BlockUses> uses_of_blocks(const GgufFile& file, std::size_t blocks) {
    std::vector<BlockUses> uses(blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
        for (const char* part : {"attn_k.weight", "attn_qkv.weight", "attn_kv_a_mqa.weight"})
            uses[b].attention |= file.find_tensor(fmt::format("blk.{}.{}", b, part)).has_value();
        uses[b].recurrent = file.find_tensor(fmt::format("blk.{}.ssm_conv1d.weight", b)).has_value();
    }
    return uses;
}

void add_recurrent(CacheLayout& layout, const Metadata& metadata, std::int32_t block,
                   std::uint64_t sequences) {
    const std::uint64_t kernel = metadata.number("ssm.conv_kernel").value_or(0);
    const std::uint64_t inner = metadata.number("ssm.inner_size").value_or(0);
    const std::uint64_t state = metadata.number("ssm.state_size").value_or(0);
    const std::uint64_t groups = metadata.number("ssm.group_count").value_or(0);
    const std::uint64_t r = (kernel > 0 ? kernel - 1 : 0) * std::min(inner + 2 * groups * state, kMaxExtent);
    const std::uint64_t s = state * inner;
    const auto add = [&](std::string_view letter, std::uint64_t row) {
        row = std::min(row, kMaxExtent * 4);
        layout.tensors.push_back({fmt::format("cache_{}_l{}", letter, block), block, CacheKind::recurrent,
                                  ElementType::f32, row, sequences, row * sequences * sizeof(float)});
    };
    add("r", r);
    add("s", s);
}

}  // namespace

std::uint32_t block_count(const GgufFile& file) {
    return static_cast<std::uint32_t>(Metadata(file).number("block_count", kMaxLayers).value_or(0));
}

std::uint32_t trained_context(const GgufFile& file) {
    return static_cast<std::uint32_t>(Metadata(file).number("context_length").value_or(0));
}

CacheLayout cache_layout(const GgufFile& file, const PlacementFlags& flags, bool flash_attention) {
    const Metadata metadata(file);
    CacheLayout layout;
    layout.context = context_size(flags, trained_context(file));
    const std::size_t blocks = block_count(file);
    if (!file.bool_value(metadata.architecture() + ".attention.causal").value_or(true)) return layout;
    if (metadata.architecture().starts_with("rwkv")) {
        layout.notes.push_back(msg::kRwkvNotSized);
        return layout;
    }
    const std::uint64_t predicted = metadata.number("nextn_predict_layers").value_or(0);
    const std::uint64_t shared = metadata.number("attention.shared_kv_layers").value_or(0);
    const std::size_t cached = blocks - std::min<std::size_t>(blocks, predicted + shared);

    const auto heads =
        metadata.per_block("attention.head_count", blocks, std::vector<std::uint64_t>(blocks, 0));
    const auto kv_heads = metadata.per_block("attention.head_count_kv", blocks, heads);
    const std::uint64_t width = metadata.number("embedding_length").value_or(0);
    const std::uint64_t most_heads = heads.empty() ? 0 : *std::ranges::max_element(heads);
    const std::uint64_t head = most_heads == 0 ? 0 : width / most_heads;
    const std::uint64_t head_k = metadata.number("attention.key_length").value_or(head);
    const std::uint64_t head_v = metadata.number("attention.value_length").value_or(head);
    const std::uint64_t window_k = metadata.number("attention.key_length_swa").value_or(head_k);
    const std::uint64_t window_v = metadata.number("attention.value_length_swa").value_or(head_v);
    const bool compressed = metadata.number("attention.key_length_mla").has_value();
    const auto slides = sliding_blocks(metadata, blocks);
    const auto uses = uses_of_blocks(file, blocks);
    const ContextSize& context = layout.context;

    if (std::ranges::find(slides, true) != slides.end()) {
        const std::uint64_t window = metadata.number("attention.sliding_window").value_or(4096);
        const std::uint64_t reach =
            window * (flags.unified_cache ? std::max(flags.sequences, 1U) : 1) + context.micro_batch;
        const std::uint64_t needed = (std::min<std::uint64_t>(context.cells, reach) + 255) / 256 * 256;
        layout.window_cells = flags.full_window_cache ? context.cells : static_cast<std::uint32_t>(needed);
    }
    std::uint64_t widest_v = 0;
    for (std::size_t b = 0; b < blocks; ++b)
        widest_v = std::max(widest_v, (slides[b] ? window_v : head_v) * kv_heads[b]);
    for (std::size_t b = 0; b < cached; ++b) {
        const auto block = static_cast<std::int32_t>(b);
        if (uses[b].recurrent) add_recurrent(layout, metadata, block, std::max(flags.sequences, 1U));
        if (!uses[b].attention || kv_heads[b] == 0) continue;
        const std::uint64_t cells =
            std::uint64_t{slides[b] ? layout.window_cells : context.cells} * context.streams;
        const auto add = [&](std::string_view letter, ElementType type, std::uint64_t row) {
            row = std::min(row, kMaxExtent);
            const auto row_size = static_cast<std::uint64_t>(row_bytes(type, static_cast<std::int64_t>(row)));
            layout.tensors.push_back({fmt::format("cache_{}_l{}", letter, b), block,
                                      slides[b] ? CacheKind::window : CacheKind::attention, type, row, cells,
                                      row_size * cells});
        };
        add("k", flags.cache_type_k, (slides[b] ? window_k : head_k) * kv_heads[b]);
        if (compressed) continue;
        add("v", flags.cache_type_v,
            flash_attention ? (slides[b] ? window_v : head_v) * kv_heads[b] : widest_v);
    }
    const bool nothing = layout.tensors.empty() && blocks > 0;
    if (nothing) layout.notes.push_back(msg::kNoKnownCache);
    return layout;
}

}  // namespace splitscope
