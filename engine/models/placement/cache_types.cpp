// SPDX-License-Identifier: MIT
#include "engine/models/placement/cache_types.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "engine/models/architectures.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/models/placement/messages.hpp"

namespace splitscope {
namespace {

constexpr std::array kCacheTypes = {ElementType::f32,    ElementType::f16,  ElementType::bf16,
                                    ElementType::q8_0,   ElementType::q4_0, ElementType::q4_1,
                                    ElementType::iq4_nl, ElementType::q5_0, ElementType::q5_1};

/// Elements of a head if the file has a single number of heads; 0 = unknown.
std::uint64_t head_width(const GgufFile& file, const std::string& key) {
    const std::string prefix = file.string_value("general.architecture").value_or("") + ".";
    if (const auto width = file.unsigned_value(prefix + key)) return *width;
    const GgufValue* heads = file.find(prefix + "attention.head_count");
    if (heads == nullptr || std::holds_alternative<std::shared_ptr<const GgufArray>>(*heads)) return 0;
    const std::uint64_t count = file.unsigned_value(prefix + "attention.head_count").value_or(0);
    return count == 0 ? 0 : file.unsigned_value(prefix + "embedding_length").value_or(0) / count;
}

/// The width of heads by layer.
std::vector<std::uint64_t> head_widths(const GgufFile& file, const std::string& key) {
    const std::uint64_t width = head_width(file, key);
    const std::string window_key =
        fmt::format("{}.{}_swa", file.string_value("general.architecture").value_or(""), key);
    const std::uint64_t window_width = file.unsigned_value(window_key).value_or(width);
    std::vector<std::uint64_t> widths;
    for (const bool slides : sliding_blocks(file)) widths.push_back(slides ? window_width : width);
    return widths;
}

/// Whether a view of the heads in a cache exceeds it: ggml rounds the bytes of heads and of rows down to
/// blocks, and aborts.
bool heads_exceed(const CacheTensor& cache, std::uint64_t width) {
    if (cache.kind == CacheKind::recurrent || width == 0 || cache.row % width != 0) return false;
    const ElementTypeTraits& traits = traits_of(cache.type);
    const auto block = static_cast<std::uint64_t>(traits.block_elements);
    const auto bytes = static_cast<std::uint64_t>(traits.block_bytes);
    const std::uint64_t view = bytes * width / block * (cache.row / width) * cache.cells;
    return view > bytes * cache.row / block + (cache.cells - 1) * (bytes * (cache.row / block));
}

}  // namespace

std::optional<Message> why_impossible(const GgufFile& file, const PlacementFlags& flags) {
    const CacheLayout layout = cache_layout(file, flags, true);
    const bool attends = std::ranges::any_of(
        layout.tensors, [](const CacheTensor& tensor) { return tensor.kind != CacheKind::recurrent; });
    const std::string name = file.string_value("general.architecture").value_or("");
    const Architecture* architecture = find_architecture(name);
    // With latent attention, keys and values are in one cache.
    const bool latent =
        file.unsigned_value(name + ".attention.key_length_mla").value_or(0) > 0 ||
        (architecture != nullptr && architecture->memory.scheme == CacheScheme::compressed_keys);
    if (latent && flags.cache_type_k != flags.cache_type_v)
        return msg::kCachesDiffer(name_of(flags.cache_type_k), name_of(flags.cache_type_v));
    // Checked before it is known whether the devices have it.
    const bool may_flash = flags.flash_attention != FlashAttention::off &&
                           (architecture == nullptr || !architecture->without_flash);
    for (const auto& [type, letter, key] : {std::tuple(flags.cache_type_k, "K", "attention.key_length"),
                                            std::tuple(flags.cache_type_v, "V", "attention.value_length")}) {
        if (attends && std::ranges::find(kCacheTypes, type) == kCacheTypes.end())
            return msg::kCacheImpossible(letter, name_of(type));
        const auto block = static_cast<std::uint64_t>(traits_of(type).block_elements);
        if (block == 1) continue;
        const auto widths = head_widths(file, key);
        const auto impossible = [&, cache = letter, element = type](std::uint64_t width) {
            return msg::kCacheBlocks(cache, name_of(element), width, block);
        };
        if (may_flash) {
            for (const std::uint64_t width : widths)
                if (width % block != 0) return impossible(width);
            continue;
        }
        for (const CacheTensor& cache : layout.tensors) {
            const std::uint64_t width = widths[static_cast<std::size_t>(cache.block)];
            if (cache.type == type && width % block != 0 && heads_exceed(cache, width))
                return impossible(width);
        }
    }
    return std::nullopt;
}

}  // namespace splitscope
