// SPDX-License-Identifier: MIT
#include "engine/models/character_map.hpp"

#include <cstring>

#include "engine/formats/gguf_place.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kMapKey = "tokenizer.ggml.precompiled_charsmap";

/// A unit of the double array: the offset of its children, the byte that leads to it, and whether a
/// sequence ends there, whose value is then its first child.
std::uint32_t offset_of(std::uint32_t unit) {
    constexpr std::uint32_t kWide = 1U << 9;
    return unit >> 10 << ((unit & kWide) != 0 ? 8 : 0);
}
std::uint32_t label_of(std::uint32_t unit) {
    return unit & (1U << 31 | 0xFFU);
}
bool ends_sequence(std::uint32_t unit) {
    return (unit >> 8 & 1U) != 0;
}
std::uint32_t value_of(std::uint32_t unit) {
    return unit & ~(1U << 31);
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size()};
}

}  // namespace

CharacterMap::CharacterMap(const GgufFile& file) : path_(file.path().string()) {
    std::string bytes;
    if (const auto* stored = array_of<std::uint8_t>(file, kMapKey))
        bytes = bytes_of(*stored);
    else if (const auto* also = array_of<std::int8_t>(file, kMapKey))
        bytes = bytes_of(*also);
    if (bytes.empty()) return;
    std::uint32_t size = 0;
    if (bytes.size() < sizeof(size)) refuse();
    std::memcpy(&size, bytes.data(), sizeof(size));
    if (size >= bytes.size() - sizeof(size)) refuse();
    units_.resize(size / sizeof(std::uint32_t));
    if (!units_.empty())
        std::memcpy(units_.data(), bytes.data() + sizeof(size), units_.size() * sizeof(std::uint32_t));
    replacements_ = bytes.substr(sizeof(size) + size);
}

void CharacterMap::refuse() const {
    throw Error(ErrorKind::bad_file, msg::kBadCharacterMap, place_of_key(path_, kMapKey),
                msg::kConvertWithTokenizer);
}

std::uint32_t CharacterMap::unit(std::size_t index) const {
    if (index >= units_.size()) refuse();
    return units_[index];
}

std::optional<CharacterMap::Match> CharacterMap::longest(std::string_view text) const {
    if (units_.empty()) return std::nullopt;
    std::optional<Match> match;
    std::uint32_t at = offset_of(unit(0));
    for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        at ^= byte;
        const std::uint32_t here = unit(at);
        if (label_of(here) != byte) break;
        at ^= offset_of(here);
        if (!ends_sequence(here)) continue;
        const std::uint32_t first = value_of(unit(at));
        const std::size_t end = replacements_.find('\0', first);
        if (first >= replacements_.size() || end == std::string::npos) refuse();
        match = Match{i + 1, std::string_view(replacements_).substr(first, end - first)};
    }
    return match;
}

}  // namespace splitscope
