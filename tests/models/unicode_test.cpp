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

TEST(Unicode, EveryCharacterSurvivesBeingWrittenAndRead) {
    for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 97) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        std::string text;
        append_utf8(text, c);
        const auto characters = characters_of(text);
        ASSERT_EQ(characters.size(), 1U) << static_cast<unsigned>(c);
        ASSERT_EQ(characters[0].value, c);
    }
}

TEST(Unicode, BytesThatAreNoUtf8StandAlone) {
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

TEST(Unicode, PlainLetters) {
    const auto plain = [](std::string_view text) {
        std::string out;
        for (const Character& c : characters_of(text)) append_plain(out, c);
        return out;
    };
    EXPECT_EQ(plain("\xc3\x80\xc3\xa9\xc3\xb1 e\xcc\x81 \xc3\x98"), "aen e \xc3\xb8");
    EXPECT_EQ(plain("\xd0\x99"), "\xd0\xb8");  // Й loses its breve
    EXPECT_EQ(plain("\xea\xb0\x81"), "\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8");
    EXPECT_EQ(plain("123 ABC"), "123 abc");
}

}  // namespace
}  // namespace splitscope::unicode
