// SPDX-License-Identifier: MIT
#include "engine/models/unicode/unicode.hpp"

#include <gtest/gtest.h>

namespace splitscope::unicode {
namespace {

TEST(Unicode, Classes) {
    EXPECT_EQ(class_of(0), CharacterClass::other);
    EXPECT_EQ(class_of(U'A'), CharacterClass::upper_letter);
    EXPECT_EQ(class_of(U'z'), CharacterClass::lower_letter);
    EXPECT_EQ(class_of(0x1C5), CharacterClass::title_letter);
    EXPECT_EQ(class_of(0x4E2D), CharacterClass::other_letter);
    EXPECT_EQ(class_of(0x301), CharacterClass::accent);
    EXPECT_EQ(class_of(U'7'), CharacterClass::number);
    EXPECT_EQ(class_of(U'$'), CharacterClass::symbol);
    EXPECT_EQ(class_of(U'!'), CharacterClass::punctuation);
    EXPECT_EQ(class_of(0x2003), CharacterClass::separator);
    EXPECT_EQ(class_of(0x10FFFF), CharacterClass::unassigned);
}

TEST(Unicode, EveryCharacterSurvivesARoundTrip) {
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 97) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, c);
        const auto characters = characters_of(text);
        ASSERT_EQ(characters.size(), 1U) << static_cast<unsigned>(c);
        ASSERT_EQ(characters[0].value, c);
    }
}

TEST(Unicode, InvalidBytesStandAlone) {
    // Truncated, overlong, surrogate, beyond the last character, stray bytes.
    for (const std::string_view text :
         {"\xe4\xb8", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xff"}) {
        const auto characters = characters_of(text);
        ASSERT_EQ(characters.size(), text.size());
        for (std::size_t i = 0; i < text.size(); ++i) {
            EXPECT_EQ(characters[i].value, kReplacement);
            EXPECT_EQ(characters[i].offset, i);
        }
    }
}

TEST(Unicode, LettersWithoutAccents) {
    EXPECT_EQ(base_of(U'\u00c9'), U'E');
    EXPECT_EQ(base_of(U'\u1ed0'), U'O');  // two accents
    EXPECT_EQ(base_of(U'\u0419'), U'\u0418');
    EXPECT_EQ(base_of(U'\u00d8'), U'\u00d8');  // the stroke is no accent
    EXPECT_EQ(base_of(U'\ufb01'), U'\ufb01');  // a ligature is no decomposition
    EXPECT_EQ(base_of(U'\uac00'), U'\u1100');
    EXPECT_EQ(base_of(U'\ud7a3'), U'\u1112');
    EXPECT_EQ(base_of(U'7'), U'7');
}

TEST(Unicode, LowerCase) {
    EXPECT_EQ(lower_of(U'\u00c9'), U'\u00e9');
    EXPECT_EQ(lower_of(U'\u0130'), U'i');
    EXPECT_EQ(lower_of(U'\u01c5'), U'\u01c6');
    EXPECT_EQ(lower_of(U'!'), U'!');
}

}  // namespace
}  // namespace splitscope::unicode
