// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope::unicode {

/// Unicode general categories, as far as tokenizers distinguish them.
enum class CharacterClass : std::uint8_t {
    upper_letter,
    lower_letter,
    title_letter,
    modifier_letter,
    other_letter,
    accent,  ///< non-spacing marks
    other_mark,
    number,
    punctuation,
    symbol,
    separator,
    other,  ///< control, format and so on
    unassigned
};

/// One character of a text. Each invalid UTF-8 byte counts as one U+FFFD.
struct Character {
    char32_t value = 0;
    std::size_t offset = 0;  ///< first byte in the text
    CharacterClass kind = CharacterClass::other;

    bool is_letter() const { return kind <= CharacterClass::other_letter; }
    bool is_mark() const { return kind == CharacterClass::accent || kind == CharacterClass::other_mark; }
    bool is_number() const { return kind == CharacterClass::number; }
    bool is_space() const;
    bool is_line_end() const { return value == U'\n' || value == U'\r'; }
};

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
    char32_t value = kReplacement;
    std::size_t length = 1;  ///< bytes
};
/// The first character of a non-empty text.
Decoded decode_front(std::string_view text);

CharacterClass class_of(char32_t value);
std::vector<Character> characters_of(std::string_view text);
void append_utf8(std::string& text, char32_t value);

/// The character in lower case if that is a single character, else unchanged.
char32_t lower_of(char32_t value);

/// The character without accents: the first of its canonical decomposition, as in llama.cpp.
char32_t base_of(char32_t value);

}  // namespace splitscope::unicode
