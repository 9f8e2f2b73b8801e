// SPDX-License-Identifier: MIT
#include "engine/models/unicode/unicode.hpp"

#include <algorithm>

#include "engine/models/unicode/tables.hpp"

namespace splitscope::unicode {
namespace {

constexpr char32_t kLastCharacter = 0x10FFFF;

// Hangul syllables are decomposed arithmetically (Unicode, section 3.12).
constexpr char32_t kSyllables = 0xAC00;
constexpr char32_t kLastSyllable = 0xD7A3;
constexpr char32_t kLeads = 0x1100;
constexpr char32_t kSyllablesPerLead = 588;

char32_t replaced(char32_t value, std::span<const Replacement> replacements) {
    const auto found = std::ranges::lower_bound(replacements, value, {}, &Replacement::from);
    return found != replacements.end() && found->from == value ? found->to : value;
}

}  // namespace

Decoded decode_front(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
    char32_t value = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        value = value << 6 | (byte(i) & 0x3F);
    }
    const bool too_long = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (too_long || surrogate || value > kLastCharacter) return {};
    return {value, length};
}

bool Character::is_space() const {
    return (value >= U'\t' && value <= U'\r') || value == 0x85 || kind == CharacterClass::separator;
}

CharacterClass class_of(char32_t value) {
    const auto runs = class_runs();
    const auto after = std::ranges::upper_bound(runs, static_cast<std::uint32_t>(value) << 8 | 0xFFU);
    return static_cast<CharacterClass>(*(after - 1) & 0xFFU);
}

std::vector<Character> characters_of(std::string_view text) {
    std::vector<Character> characters;
    characters.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Decoded decoded = decode_front(text.substr(at));
        characters.push_back({decoded.value, at, class_of(decoded.value)});
        at += decoded.length;
    }
    return characters;
}

void append_utf8(std::string& text, char32_t value) {
    const auto put = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (value < 0x80) {
        put(value);
        return;
    }
    if (value < 0x800) {
        put(0xC0 | value >> 6);
    } else {
        if (value < 0x10000) {
            put(0xE0 | value >> 12);
        } else {
            put(0xF0 | value >> 18);
            put(0x80 | (value >> 12 & 0x3F));
        }
        put(0x80 | (value >> 6 & 0x3F));
    }
    put(0x80 | (value & 0x3F));
}

char32_t lower_of(char32_t value) {
    return replaced(value, lower_letters());
}

char32_t base_of(char32_t value) {
    if (value >= kSyllables && value <= kLastSyllable)
        return kLeads + (value - kSyllables) / kSyllablesPerLead;
    return replaced(value, base_letters());
}

}  // namespace splitscope::unicode
