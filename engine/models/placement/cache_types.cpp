// SPDX-License-Identifier: MIT
#include "engine/models/placement/cache_types.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "engine/models/architectures.hpp"
#include "engine/models/placement/cache_layout.hpp"
#include "engine/models/placement/messages.hpp"

namespace splitscope {
namespace {

constexpr std::array kCacheTypes = {ElementType::f32,    ElementType::f16,  ElementType::bf16,
                                    ElementType::q8_0,   ElementType::q4_0, ElementType::q4_1,
                                    ElementType::iq4_nl, ElementType::q5_0, ElementType::q5_1};

/// Elements of a head if the file has a single value; 0 = unknown.
std::uint64_t head_width(const GgufFile& file, std::string_view key) {
    const std::string prefix = file.string_value("general.architecture").value_or("") + ".";
    if (const auto width = file.unsigned_value(prefix + std::string(key))) return *width;
    const GgufValue* heads = file.find(prefix + "attention.head_count");
    if (heads == nullptr || std::holds_alternative<std::shared_ptr<const GgufArray>>(*heads)) return 0;
    const std::uint64_t count = file.unsigned_value(prefix + "attention.head_count").value_or(0);
    return count == 0 ? 0 : file.unsigned_value(prefix + "embedding_length").value_or(0) / count;
}

}  // namespace

std::optional<Message> why_impossible(const GgufFile& file, const PlacementFlags& flags) {
    const CacheLayout layout = cache_layout(file, flags, true);
    const bool attends = std::ranges::any_of(
        layout.tensors, [](const CacheTensor& tensor) { return tensor.kind != CacheKind::recurrent; });
    if (!attends) return std::nullopt;
    const std::string name = file.string_value("general.architecture").value_or("");
    // With latent attention, keys and values are in one cache.
    const bool latent = file.unsigned_value(name + ".attention.key_length_mla").value_or(0) > 0;
    if (latent && flags.cache_type_k != flags.cache_type_v)
        return msg::kCachesDiffer(name_of(flags.cache_type_k), name_of(flags.cache_type_v));
    // Checked before it is known whether the devices have it.
    const Architecture* architecture = find_architecture(name);
    const bool may_flash = flags.flash_attention != FlashAttention::off &&
                           (architecture == nullptr || !architecture->without_flash);
    for (const auto& [type, letter, key] : {std::tuple(flags.cache_type_k, "K", "attention.key_length"),
                                            std::tuple(flags.cache_type_v, "V", "attention.value_length")}) {
        if (std::ranges::find(kCacheTypes, type) == kCacheTypes.end())
            return msg::kCacheImpossible(letter, name_of(type));
        const auto block = static_cast<std::uint64_t>(traits_of(type).block_elements);
        const std::uint64_t width = head_width(file, key);
        if (block > 1 && may_flash && width % block != 0)
            return msg::kCacheBlocks(letter, name_of(type), width, block);
    }
    return std::nullopt;
}

}  // namespace splitscope
