// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "engine/models/unicode/unicode.hpp"

/// The alternatives of splitting rules, each a WordPattern (pre_tokenizer.hpp).
namespace splitscope::words {

using unicode::Character;
using unicode::CharacterClass;
using Text = std::span<const Character>;

template <class Belongs>
inline std::size_t run_end(Text text, std::size_t at, Belongs belongs) {
    while (at < text.size() && belongs(text[at])) ++at;
    return at;
}

inline bool is_letter(const Character& c) {
    return c.is_letter();
}
inline bool is_number(const Character& c) {
    return c.is_number();
}
inline bool is_space(const Character& c) {
    return c.is_space();
}
/// Neither space nor letter nor number.
inline bool is_sign(const Character& c) {
    return !c.is_space() && !c.is_letter() && !c.is_number();
}

inline std::size_t after_optional_space(Text text, std::size_t at) {
    return at < text.size() && text[at].value == U' ' ? at + 1 : at;
}

inline bool is_letter_or_mark(const Character& c) {
    return c.is_letter() || c.is_mark();
}
inline bool is_ascii_letter(const Character& c) {
    return (c.value >= U'a' && c.value <= U'z') || (c.value >= U'A' && c.value <= U'Z');
}
inline bool is_ascii_sign(const Character& c) {
    return c.value > U' ' && c.value < 0x7F && !is_ascii_letter(c) && !c.is_number();
}
inline bool is_category_punctuation(const Character& c) {
    return c.kind == CharacterClass::punctuation;
}
/// Punctuation and symbols.
inline bool is_written_sign(const Character& c) {
    return is_category_punctuation(c) || c.kind == CharacterClass::symbol;
}

struct Range {
    char32_t first;
    char32_t last;
};
inline bool is_in(std::span<const Range> ranges, const Character& c) {
    return std::ranges::any_of(
        ranges, [&](const Range& range) { return c.value >= range.first && c.value <= range.last; });
}

/// A run of one class, with an optional leading character.
template <class Leads, class Belongs>
inline std::size_t led_run(Text text, std::size_t at, Leads leads, Belongs belongs) {
    if (at < text.size() && leads(text[at])) {
        if (const std::size_t end = run_end(text, at + 1, belongs); end > at + 1) return end;
    }
    return run_end(text, at, belongs);
}

// --- endings such as 's and 'll

inline char32_t lower_ascii(char32_t c) {
    return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

template <bool kAnyCase>
inline std::size_t contraction(Text text, std::size_t at) {
    constexpr std::array<std::u32string_view, 7> endings = {U"s", U"t", U"re", U"ve", U"m", U"ll", U"d"};
    if (at >= text.size() || text[at].value != U'\'') return at;
    for (const std::u32string_view ending : endings) {
        std::size_t matched = 0;
        while (matched < ending.size() && at + 1 + matched < text.size()) {
            const char32_t c = text[at + 1 + matched].value;
            if ((kAnyCase ? lower_ascii(c) : c) != ending[matched]) break;
            ++matched;
        }
        if (matched == ending.size()) return at + 1 + matched;
    }
    return at;
}

// --- letters

/// Letters, with an optional leading space.
inline std::size_t spaced_letters(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_letter);
    return end > first ? end : at;
}

/// A character that may precede letters: anything but letters, numbers and line ends.
inline bool may_lead(const Character& c) {
    return !c.is_letter() && !c.is_number() && !c.is_line_end();
}

/// Letters, with one optional leading character.
inline std::size_t led_letters(Text text, std::size_t at) {
    return led_run(text, at, may_lead, is_letter);
}

/// Letters allowed in the upper-case and lower-case parts of a camel-case word. llama.cpp knows the case of
/// ASCII letters only: all others may be in both parts.
enum class WordLetters : std::uint8_t {
    cased,             ///< letters, ASCII ones by their case
    cased_and_marks,   ///< marks as well
    letters_and_marks  ///< whatever their case
};

template <WordLetters kLetters>
inline bool may_be_upper(const Character& c) {
    if (!c.is_letter() && (kLetters == WordLetters::cased || !c.is_mark())) return false;
    return kLetters == WordLetters::letters_and_marks || c.value < U'a' || c.value > U'z';
}
template <WordLetters kLetters>
inline bool may_be_lower(const Character& c) {
    if (!c.is_letter() && (kLetters == WordLetters::cased || !c.is_mark())) return false;
    return kLetters == WordLetters::letters_and_marks || c.value < U'A' || c.value > U'Z';
}

/// Upper-case letters, if any, then at least one lower-case.
template <WordLetters kLetters>
inline std::size_t uppers_then_lower(Text text, std::size_t at) {
    const std::size_t uppers = run_end(text, at, may_be_upper<kLetters>);
    const std::size_t end = run_end(text, uppers, may_be_lower<kLetters>);
    if (end > uppers) return end;
    // No lower-case letter follows: the last character that may be one becomes that part.
    for (std::size_t i = uppers; i > at; --i) {
        if (may_be_lower<kLetters>(text[i - 1])) return i;
    }
    return at;
}

/// At least one upper-case letter, then lower-case ones.
template <WordLetters kLetters>
inline std::size_t upper_then_lowers(Text text, std::size_t at) {
    const std::size_t uppers = run_end(text, at, may_be_upper<kLetters>);
    return uppers > at ? run_end(text, uppers, may_be_lower<kLetters>) : at;
}

/// A word in camel case: "myUrl" is two.
template <WordLetters kLetters, bool kWithContraction>
inline std::size_t cased_word(Text text, std::size_t at) {
    const bool led = at < text.size() && may_lead(text[at]);
    for (const auto part : {uppers_then_lower<kLetters>, upper_then_lowers<kLetters>}) {
        std::size_t end = at;
        if (led && part(text, at + 1) > at + 1)
            end = part(text, at + 1);
        else
            end = part(text, at);
        if (end > at) return kWithContraction ? contraction<true>(text, end) : end;
    }
    return at;
}

/// Letters and marks, with one optional leading character.
inline std::size_t led_letters_and_marks(Text text, std::size_t at) {
    return led_run(text, at, may_lead, is_letter_or_mark);
}

/// Likewise, but the leading character may be a number, and neither punctuation nor a line end.
inline std::size_t led_by_no_sign(Text text, std::size_t at) {
    const auto leads = [](const Character& c) {
        return !c.is_line_end() && !c.is_letter() && !is_written_sign(c);
    };
    return led_run(text, at, leads, is_letter_or_mark);
}

/// An ASCII punctuation character and the following ASCII letters.
inline std::size_t sign_and_ascii_letters(Text text, std::size_t at) {
    if (at >= text.size() || !is_ascii_sign(text[at])) return at;
    const std::size_t end = run_end(text, at + 1, is_ascii_letter);
    return end > at + 1 ? end : at;
}

/// Words joined by single spaces; marks belong to the letter before them.
inline std::size_t led_phrase(Text text, std::size_t at) {
    const auto phrase_end = [&](std::size_t from) {
        std::size_t end = from;
        for (;;) {
            const std::size_t letter = end > from ? after_optional_space(text, end) : end;
            if (letter >= text.size() || !text[letter].is_letter()) return end;
            end = run_end(text, letter + 1, [](const Character& c) { return c.is_mark(); });
        }
    };
    if (at < text.size() && may_lead(text[at])) {
        if (const std::size_t end = phrase_end(at + 1); end > at + 1) return end;
    }
    return phrase_end(at);
}

/// Han characters; each is a separate word in mostly Chinese vocabularies.
inline bool is_han(const Character& c) {
    constexpr std::array<Range, 9> blocks = {{{0x4E00, 0x9FFF},
                                              {0x3400, 0x4DBF},
                                              {0x20000, 0x2A6DF},
                                              {0x2A700, 0x2B73F},
                                              {0x2B740, 0x2B81F},
                                              {0x2B820, 0x2CEAF},
                                              {0x2CEB0, 0x2EBEF},
                                              {0xF900, 0xFAFF},
                                              {0x2F800, 0x2FA1F}}};
    return is_in(blocks, c);
}
inline std::size_t han(Text text, std::size_t at) {
    return run_end(text, at, is_han);
}
/// Letters that are not Han, with one optional leading character and an ending.
inline std::size_t led_letters_but_han(Text text, std::size_t at) {
    const auto belongs = [](const Character& c) { return c.is_letter() && !is_han(c); };
    const std::size_t end = led_run(text, at, may_lead, belongs);
    return end > at ? contraction<true>(text, end) : at;
}

/// Han up to 2020 and kana.
inline bool is_han_or_kana(const Character& c) {
    constexpr std::array<Range, 2> ranges = {{{0x4E00, 0x9FA5}, {0x3040, 0x30FF}}};
    return is_in(ranges, c);
}
inline std::size_t han_or_kana(Text text, std::size_t at) {
    return run_end(text, at, is_han_or_kana);
}

/// Scripts east of India, as grouped by the vocabularies of DeepSeek's first models.
inline std::size_t eastern(Text text, std::size_t at) {
    constexpr std::array<Range, 2> ranges = {{{0x0800, 0x9FA5}, {0xAC00, 0xD7FF}}};
    return run_end(text, at, [&](const Character& c) { return !c.is_space() && is_in(ranges, c); });
}

/// Scripts without spaces between words, and Hangul.
inline std::size_t unspaced_scripts(Text text, std::size_t at) {
    constexpr std::array<Range, 15> ranges = {{{0x4E00, 0x9FFF},
                                               {0x3400, 0x4DBF},
                                               {0xF900, 0xFAFF},
                                               {0x3040, 0x309F},
                                               {0x30A0, 0x30FF},
                                               {0xFF65, 0xFF9F},
                                               {0x2F00, 0x2FDF},
                                               {0x0E40, 0x0E7F},
                                               {0x0E80, 0x0EFF},
                                               {0x1780, 0x17FF},
                                               {0x1000, 0x109F},
                                               {0xAA60, 0xAA7F},
                                               {0xA9E0, 0xA9FF},
                                               {0xAC00, 0xD7AF},
                                               {0x1100, 0x11FF}}};
    return run_end(text, at, [&](const Character& c) { return is_in(ranges, c); });
}

/// Hangul, signs of Chinese texts, bopomofo, Han with kana: runs of each.
inline std::size_t one_eastern_script(Text text, std::size_t at) {
    constexpr std::array<Range, 2> hangul = {{{0xAC00, 0xD7A3}, {0x3131, 0x318E}}};
    constexpr std::array<Range, 10> signs = {{{0xFF01, 0xFF01},
                                              {0x2026, 0x2026},
                                              {0x201C, 0x201D},
                                              {0x2018, 0x2019},
                                              {0x2014, 0x2014},
                                              {0xFF1A, 0xFF1B},
                                              {0xFF0C, 0xFF0C},
                                              {0x3001, 0x303F},
                                              {0xFE30, 0xFE4F},
                                              {0xFF0C, 0xFF0C}}};
    constexpr std::array<Range, 1> bopomofo = {{{0x3105, 0x312F}}};
    for (const std::span<const Range> script :
         {std::span<const Range>(hangul), std::span<const Range>(signs), std::span<const Range>(bopomofo)}) {
        const std::size_t end = run_end(text, at, [&](const Character& c) { return is_in(script, c); });
        if (end > at) return end;
    }
    return han_or_kana(text, at);
}

/// Letters that have a case, by the list of DeepSeek's first vocabularies.
inline bool has_case(const Character& c) {
    constexpr std::array<Range, 87> ranges = {
        {{0x0041, 0x005A},   {0x0061, 0x007A},   {0x00B5, 0x00B5},   {0x00C0, 0x00D6},   {0x00D8, 0x00F6},
         {0x00F8, 0x01BA},   {0x01BC, 0x01BF},   {0x01C4, 0x0293},   {0x0295, 0x02AF},   {0x0370, 0x0373},
         {0x0376, 0x0376},   {0x0377, 0x0377},   {0x037B, 0x037D},   {0x037F, 0x037F},   {0x0386, 0x0386},
         {0x0388, 0x038A},   {0x038C, 0x038C},   {0x038E, 0x03A1},   {0x03A3, 0x03F5},   {0x03F7, 0x0481},
         {0x048A, 0x052F},   {0x0531, 0x0556},   {0x10A0, 0x10C5},   {0x13A0, 0x13F5},   {0x13F8, 0x13FD},
         {0x1C90, 0x1CBA},   {0x1CBD, 0x1CBF},   {0x1D00, 0x1D2B},   {0x1D6B, 0x1D77},   {0x1D79, 0x1D9A},
         {0x1E00, 0x1F15},   {0x1F18, 0x1F1D},   {0x1F20, 0x1F45},   {0x1F48, 0x1F4D},   {0x1F50, 0x1F57},
         {0x1F59, 0x1F59},   {0x1F5B, 0x1F5B},   {0x1F5D, 0x1F5D},   {0x1F5F, 0x1F7D},   {0x1F80, 0x1FB4},
         {0x1FB6, 0x1FBC},   {0x1FBE, 0x1FBE},   {0x1FC2, 0x1FC4},   {0x1FC6, 0x1FCC},   {0x1FD0, 0x1FD3},
         {0x1FD6, 0x1FDB},   {0x1FE0, 0x1FEC},   {0x1FF2, 0x1FF4},   {0x1FF6, 0x1FFC},   {0x2102, 0x2102},
         {0x2107, 0x2107},   {0x210A, 0x2113},   {0x2115, 0x2115},   {0x2119, 0x211D},   {0x2124, 0x2124},
         {0x2126, 0x2126},   {0x2128, 0x2128},   {0x212A, 0x212D},   {0x212F, 0x2134},   {0x2139, 0x2139},
         {0x213C, 0x213F},   {0x2145, 0x2149},   {0x214E, 0x214E},   {0x2183, 0x2183},   {0x2184, 0x2184},
         {0x2C00, 0x2C7B},   {0x2C7E, 0x2CE4},   {0x2CEB, 0x2CEE},   {0x2CF2, 0x2CF2},   {0x2CF3, 0x2CF3},
         {0xA640, 0xA66D},   {0xA680, 0xA69B},   {0xA722, 0xA76F},   {0xA771, 0xA787},   {0xA78B, 0xA78E},
         {0xAB70, 0xABBF},   {0xFB00, 0xFB06},   {0xFB13, 0xFB17},   {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},
         {0x10400, 0x1044F}, {0x104B0, 0x104D3}, {0x104D8, 0x104FB}, {0x10C80, 0x10CB2}, {0x10CC0, 0x10CF2},
         {0x118A0, 0x118DF}, {0x1E900, 0x1E943}}};
    return is_in(ranges, c);
}
/// Runs of one class, with one leading space of any kind.
template <auto kBelongs>
inline std::size_t after_any_space(Text text, std::size_t at) {
    const std::size_t first = at < text.size() && text[at].is_space() ? at + 1 : at;
    const std::size_t end = run_end(text, first, kBelongs);
    return end > first ? end : at;
}
inline std::size_t spaced_cased_letters(Text text, std::size_t at) {
    return after_any_space<has_case>(text, at);
}
inline std::size_t any_spaced_letters(Text text, std::size_t at) {
    return after_any_space<is_letter>(text, at);
}
inline std::size_t any_spaced_punctuation(Text text, std::size_t at) {
    return after_any_space<is_category_punctuation>(text, at);
}

/// ASCII from ! to / and from : to ~, the same in full width, quotation marks, and 、 and 。.
inline bool is_between_signs(const Character& c) {
    constexpr std::array<Range, 6> ranges = {
        {{0x21, 0x2F}, {0x3A, 0x7E}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF5E}, {0x2018, 0x201F}, {0x3001, 0x3002}}};
    return is_in(ranges, c);
}
inline std::size_t spaced_between_signs(Text text, std::size_t at) {
    return after_any_space<is_between_signs>(text, at);
}

/// Everything up to a space or a punctuation mark that ends a clause, with an optional leading space.
inline std::size_t spaced_clause(Text text, std::size_t at) {
    const auto belongs = [](const Character& c) {
        constexpr std::u32string_view ends = U"()|.,!?\u2026\u3002\uFF0C\u3001\u0964\u06D4\u060C";
        return !c.is_space() && ends.find(c.value) == std::u32string_view::npos;
    };
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, belongs);
    return end > first ? end : at;
}

// --- numbers

inline std::size_t spaced_numbers(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_number);
    return end > first ? end : at;
}

inline std::size_t numbers(Text text, std::size_t at) {
    return run_end(text, at, is_number);
}

template <std::size_t kMax>
inline std::size_t few_numbers(Text text, std::size_t at) {
    return run_end(text.first(std::min(text.size(), at + kMax)), at, is_number);
}

inline std::size_t three_ascii_digits(Text text, std::size_t at) {
    if (text.size() - at < 3) return at;
    const Text three = text.subspan(at, 3);
    const bool digits = std::ranges::all_of(
        three, [](char32_t c) { return c >= U'0' && c <= U'9'; }, &Character::value);
    return digits ? at + 3 : at;
}

/// Numbers in groups of three, counted from their end. A prefix belongs to the first.
inline std::size_t up_to_group_of_numbers(Text text, std::size_t at) {
    const std::size_t first = run_end(text, at, [](const Character& c) { return !c.is_number(); });
    const std::size_t end = numbers(text, first);
    if (end == first) return end;
    const std::size_t odd = (end - first) % 3;
    return first + (odd > 0 ? odd : 3);
}

inline bool is_ascii_digit(const Character& c) {
    return c.value >= U'0' && c.value <= U'9';
}
/// Digits from a place after which their number is a multiple of three, up to the next such place.
inline std::size_t counted_from_the_end(Text text, std::size_t at) {
    const auto is_cut = [&](std::size_t place) {
        const std::size_t digits = run_end(text, place, is_ascii_digit) - place;
        return digits > 0 && digits % 3 == 0;
    };
    if (!is_cut(at)) return at;
    std::size_t end = at + 1;
    while (end < text.size() && !is_cut(end)) ++end;
    return end;
}

// --- punctuation and spaces

inline std::size_t spaced_signs(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_sign);
    return end > first ? end : at;
}

inline std::size_t spaced_signs_and_line_ends(Text text, std::size_t at) {
    const std::size_t end = spaced_signs(text, at);
    return end > at ? run_end(text, end, [](const Character& c) { return c.is_line_end(); }) : at;
}

inline std::size_t spaced_signs_line_ends_and_slashes(Text text, std::size_t at) {
    const auto follows = [](const Character& c) { return c.is_line_end() || c.value == U'/'; };
    const std::size_t end = spaced_signs(text, at);
    return end > at ? run_end(text, end, follows) : at;
}

inline bool is_punctuation(const Character& c) {
    constexpr std::u32string_view more = U"$+<=>^~|";
    return c.kind == CharacterClass::punctuation || more.find(c.value) != std::u32string_view::npos;
}
inline std::size_t punctuation(Text text, std::size_t at) {
    return run_end(text, at, is_punctuation);
}
inline std::size_t punctuation_and_backticks(Text text, std::size_t at) {
    return run_end(text, at, [](const Character& c) { return is_punctuation(c) || c.value == U'`'; });
}

/// Spaces up to the last line end among them.
inline std::size_t spaces_to_line_end(Text text, std::size_t at) {
    std::size_t end = run_end(text, at, is_space);
    while (end > at && !text[end - 1].is_line_end()) --end;
    return end;
}

/// All spaces at the end of the text; elsewhere all but the last, which belongs to the next word.
inline std::size_t spaces_but_last(Text text, std::size_t at) {
    const std::size_t end = run_end(text, at, is_space);
    if (end == text.size() || end == at) return end;
    return end - 1;
}

inline std::size_t spaces(Text text, std::size_t at) {
    return run_end(text, at, is_space);
}

inline std::size_t spaced_unmarked_signs_and_line_ends(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end =
        run_end(text, first, [](const Character& c) { return is_sign(c) && !c.is_mark(); });
    return end > first ? run_end(text, end, [](const Character& c) { return c.is_line_end(); }) : at;
}
inline std::size_t spaced_signs_and_one_line_end_or_slash(Text text, std::size_t at) {
    const std::size_t end = spaced_signs(text, at);
    const bool one = end > at && end < text.size() && (text[end].is_line_end() || text[end].value == U'/');
    return one ? end + 1 : end;
}
inline std::size_t spaced_written_signs(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_written_sign);
    return end > first ? end : at;
}
inline std::size_t spaced_written_signs_and_line_ends(Text text, std::size_t at) {
    const std::size_t end = spaced_written_signs(text, at);
    return end > at ? run_end(text, end, [](const Character& c) { return c.is_line_end(); }) : at;
}
inline std::size_t one_punctuation(Text text, std::size_t at) {
    return at < text.size() && (is_category_punctuation(text[at]) || is_ascii_sign(text[at])) ? at + 1 : at;
}

inline std::size_t one_line_end(Text text, std::size_t at) {
    return at < text.size() && text[at].is_line_end() ? at + 1 : at;
}
/// Everything but spaces.
inline std::size_t unspaced(Text text, std::size_t at) {
    return run_end(text, at, [](const Character& c) { return !c.is_space(); });
}

/// A line, or the line feeds between lines.
inline std::size_t line(Text text, std::size_t at) {
    const std::size_t end = run_end(text, at, [](const Character& c) { return c.value != U'\n'; });
    return end > at ? end : run_end(text, at, [](const Character& c) { return c.value == U'\n'; });
}
inline std::size_t spaces_at_the_end(Text text, std::size_t at) {
    const std::size_t end = spaces(text, at);
    return end == text.size() ? end : at;
}
/// A run of spaces whose length is a power of two; the space directly before a word is not included.
inline std::size_t spaces_by_powers_of_two(Text text, std::size_t at) {
    const std::size_t end = spaces(text, at);
    const std::size_t room = end == text.size() || end == at ? end - at : end - at - 1;
    for (const std::size_t count : {512U, 256U, 128U, 64U, 32U, 16U, 8U, 4U, 2U, 1U}) {
        if (room >= count) return at + count;
    }
    return end;
}
inline std::size_t tab_line_feed_or_even_spaces(Text text, std::size_t at) {
    if (at >= text.size()) return at;
    if (text[at].value == U'\t' || text[at].value == U'\n') return at + 1;
    const std::size_t spaces = run_end(text, at, [](const Character& c) { return c.value == U' '; }) - at;
    return at + (spaces >= 4 ? 4 : spaces >= 2 ? 2 : 0);
}

// --- image marks in texts

inline bool starts_with(Text text, std::size_t at, std::u32string_view start) {
    if (text.size() - at < start.size()) return false;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (text[at + i].value != start[i]) return false;
    }
    return true;
}
/// "<sentinel:12>"
inline std::size_t sentinel(Text text, std::size_t at) {
    constexpr std::u32string_view start = U"<sentinel:";
    if (!starts_with(text, at, start)) return at;
    const std::size_t end = run_end(text, at + start.size(), is_ascii_digit);
    return end > at + start.size() && end < text.size() && text[end].value == U'>' ? end + 1 : at;
}
/// "IMGIMGABZ"
inline std::size_t picture(Text text, std::size_t at) {
    constexpr std::u32string_view start = U"IMGIMG";
    if (!starts_with(text, at, start)) return at;
    const std::size_t first = at + start.size();
    const std::size_t end = run_end(text.first(std::min(text.size(), first + 4)), first,
                                    [](const Character& c) { return c.value >= U'A' && c.value <= U'I'; });
    return end > first && end < text.size() && text[end].value == U'Z' ? end + 1 : at;
}

}  // namespace splitscope::words
