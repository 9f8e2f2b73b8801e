// SPDX-License-Identifier: MIT
#include "engine/models/pre_tokenizer.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

using unicode::Character;
using unicode::CharacterClass;
using Text = std::span<const Character>;

template <class Belongs>
std::size_t run_end(Text text, std::size_t at, Belongs belongs) {
    while (at < text.size() && belongs(text[at])) ++at;
    return at;
}

bool is_letter(const Character& c) {
    return c.is_letter();
}
bool is_number(const Character& c) {
    return c.is_number();
}
bool is_space(const Character& c) {
    return c.is_space();
}
/// Neither space, letter nor number.
bool is_sign(const Character& c) {
    return !c.is_space() && !c.is_letter() && !c.is_number();
}

std::size_t after_optional_space(Text text, std::size_t at) {
    return at < text.size() && text[at].value == U' ' ? at + 1 : at;
}

// --- endings such as 's and 'll

char32_t lower_ascii(char32_t c) {
    return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

template <bool kAnyCase>
std::size_t contraction(Text text, std::size_t at) {
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

/// Letters with an optional leading space.
std::size_t spaced_letters(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_letter);
    return end > first ? end : at;
}

/// One optional character before letters: anything but letters, numbers and line ends.
bool may_lead(const Character& c) {
    return !c.is_letter() && !c.is_number() && !c.is_line_end();
}

/// Letters with one optional leading character.
std::size_t led_letters(Text text, std::size_t at) {
    const std::size_t first = at < text.size() && may_lead(text[at]) ? at + 1 : at;
    const std::size_t end = run_end(text, first, is_letter);
    return end > first ? end : at;
}

bool is_caseless(const Character& c) {
    return c.kind == CharacterClass::modifier_letter || c.kind == CharacterClass::other_letter || c.is_mark();
}
bool is_upper(const Character& c) {
    return c.kind == CharacterClass::upper_letter || c.kind == CharacterClass::title_letter || is_caseless(c);
}
bool is_lower(const Character& c) {
    return c.kind == CharacterClass::lower_letter || is_caseless(c);
}

/// Optional upper-case letters, then at least one lower-case letter; caseless letters are both.
std::size_t uppers_then_lower(Text text, std::size_t at) {
    const std::size_t uppers = run_end(text, at, is_upper);
    const std::size_t end = run_end(text, uppers, is_lower);
    if (end > uppers) return end;
    // No lower-case letter follows: the last caseless letter takes its place.
    for (std::size_t i = uppers; i > at; --i) {
        if (is_lower(text[i - 1])) return i;
    }
    return at;
}

/// At least one upper-case letter, then lower-case letters.
std::size_t upper_then_lowers(Text text, std::size_t at) {
    const std::size_t uppers = run_end(text, at, is_upper);
    return uppers > at ? run_end(text, uppers, is_lower) : at;
}

/// A camel-case word: "Http" and "Server" are two.
template <bool kWithContraction>
std::size_t cased_word(Text text, std::size_t at) {
    const bool led = at < text.size() && may_lead(text[at]);
    for (const auto part : {uppers_then_lower, upper_then_lowers}) {
        std::size_t end = at;
        if (led && part(text, at + 1) > at + 1)
            end = part(text, at + 1);
        else
            end = part(text, at);
        if (end > at) return kWithContraction ? contraction<true>(text, end) : end;
    }
    return at;
}

// --- numbers

std::size_t spaced_numbers(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_number);
    return end > first ? end : at;
}

std::size_t numbers(Text text, std::size_t at) {
    return run_end(text, at, is_number);
}

template <std::size_t kMax>
std::size_t few_numbers(Text text, std::size_t at) {
    return run_end(text.first(std::min(text.size(), at + kMax)), at, is_number);
}

std::size_t three_ascii_digits(Text text, std::size_t at) {
    if (text.size() - at < 3) return at;
    const Text three = text.subspan(at, 3);
    const bool digits = std::ranges::all_of(
        three, [](char32_t c) { return c >= U'0' && c <= U'9'; }, &Character::value);
    return digits ? at + 3 : at;
}

// --- signs and spaces

std::size_t spaced_signs(Text text, std::size_t at) {
    const std::size_t first = after_optional_space(text, at);
    const std::size_t end = run_end(text, first, is_sign);
    return end > first ? end : at;
}

std::size_t spaced_signs_and_line_ends(Text text, std::size_t at) {
    const std::size_t end = spaced_signs(text, at);
    return end > at ? run_end(text, end, [](const Character& c) { return c.is_line_end(); }) : at;
}

std::size_t spaced_signs_line_ends_and_slashes(Text text, std::size_t at) {
    const auto follows = [](const Character& c) { return c.is_line_end() || c.value == U'/'; };
    const std::size_t end = spaced_signs(text, at);
    return end > at ? run_end(text, end, follows) : at;
}

bool is_punctuation(const Character& c) {
    constexpr std::u32string_view more = U"$+<=>^~|";
    return c.kind == CharacterClass::punctuation || more.find(c.value) != std::u32string_view::npos;
}
std::size_t punctuation(Text text, std::size_t at) {
    return run_end(text, at, is_punctuation);
}
std::size_t punctuation_and_backticks(Text text, std::size_t at) {
    return run_end(text, at, [](const Character& c) { return is_punctuation(c) || c.value == U'`'; });
}

/// Spaces up to the last line end among them.
std::size_t spaces_to_line_end(Text text, std::size_t at) {
    std::size_t end = run_end(text, at, is_space);
    while (end > at && !text[end - 1].is_line_end()) --end;
    return end;
}

/// All spaces at the end of the text, otherwise all but the last, which belongs to the next word.
std::size_t spaces_but_last(Text text, std::size_t at) {
    const std::size_t end = run_end(text, at, is_space);
    if (end == text.size() || end == at) return end;
    return end - 1;
}

std::size_t spaces(Text text, std::size_t at) {
    return run_end(text, at, is_space);
}

// --- rules

using Rule = std::span<const WordPattern>;

constexpr std::array<WordPattern, 5> kGpt2Words = {contraction<false>, spaced_letters, spaced_numbers,
                                                   spaced_signs, spaces_but_last};
constexpr std::array<WordPattern, 7> kLlama3Words = {
    contraction<true>,  led_letters,     few_numbers<3>, spaced_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kQwen2Words = {
    contraction<true>,  led_letters,     few_numbers<1>, spaced_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 6> kGpt4oWords = {
    cased_word<true>,   few_numbers<3>,  spaced_signs_line_ends_and_slashes,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 6> kTekkenWords = {
    cased_word<false>,  few_numbers<1>,  spaced_signs_line_ends_and_slashes,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 1> kPunctuation = {punctuation};
constexpr std::array<WordPattern, 1> kPunctuationAndBackticks = {punctuation_and_backticks};
constexpr std::array<WordPattern, 1> kNumbers = {numbers};
constexpr std::array<WordPattern, 1> kSingleNumbers = {few_numbers<1>};
constexpr std::array<WordPattern, 1> kThreeDigits = {three_ascii_digits};

constexpr std::array<Rule, 1> kGpt2 = {kGpt2Words};
constexpr std::array<Rule, 1> kLlama3 = {kLlama3Words};
constexpr std::array<Rule, 1> kQwen2 = {kQwen2Words};
constexpr std::array<Rule, 1> kGpt4o = {kGpt4oWords};
constexpr std::array<Rule, 1> kTekken = {kTekkenWords};
constexpr std::array<Rule, 2> kStarCoder = {kSingleNumbers, kGpt2Words};
constexpr std::array<Rule, 3> kFalcon = {kPunctuationAndBackticks, kGpt2Words, kThreeDigits};
constexpr std::array<Rule, 4> kDefault = {kPunctuation, kGpt2Words, kNumbers, kThreeDigits};

/// To add one, add a row; aliases share their rules.
constexpr std::array kPreTokenizers = {
    PreTokenizer{"default", kDefault},
    PreTokenizer{"gpt-2", kGpt2},
    PreTokenizer{"phi-2", kGpt2},
    PreTokenizer{"mpt", kGpt2},
    PreTokenizer{"olmo", kGpt2},
    PreTokenizer{"llama-bpe", kLlama3, true, true},
    PreTokenizer{"llama3", kLlama3, true, true},
    PreTokenizer{"llama-v3", kLlama3, true, true},
    PreTokenizer{"falcon3", kLlama3, true, true},
    PreTokenizer{"dbrx", kLlama3},
    PreTokenizer{"smaug-bpe", kLlama3},
    PreTokenizer{"qwen2", kQwen2},
    PreTokenizer{"deepseek-r1-qwen", kQwen2},
    PreTokenizer{"stablelm2", kQwen2},
    PreTokenizer{"gpt-4o", kGpt4o},
    PreTokenizer{"llama4", kGpt4o},
    PreTokenizer{"tekken", kTekken, true, true},
    PreTokenizer{"starcoder", kStarCoder},
    PreTokenizer{"refact", kStarCoder},
    PreTokenizer{"command-r", kStarCoder},
    PreTokenizer{"smollm", kStarCoder},
    PreTokenizer{"falcon", kFalcon},
};

std::size_t first_match(Rule rule, Text text, std::size_t at) {
    for (const WordPattern pattern : rule) {
        if (const std::size_t end = pattern(text, at); end > at) return end;
    }
    return at;
}

/// Splits each word by the rule; text between matches stays together.
std::vector<Text> cut_by(Rule rule, const std::vector<Text>& words) {
    std::vector<Text> cut;
    for (const Text word : words) {
        std::size_t begin = 0;
        std::size_t at = 0;
        while (at < word.size()) {
            const std::size_t end = first_match(rule, word, at);
            if (end == at) {
                ++at;
                continue;
            }
            if (at > begin) cut.push_back(word.subspan(begin, at - begin));
            cut.push_back(word.subspan(at, end - at));
            begin = at = end;
        }
        if (word.size() > begin) cut.push_back(word.subspan(begin));
    }
    return cut;
}

}  // namespace

const PreTokenizer* pre_tokenizer_named(std::string_view name) {
    const auto found = std::ranges::find(kPreTokenizers, name, &PreTokenizer::name);
    return found == kPreTokenizers.end() ? nullptr : &*found;
}

std::string pre_tokenizer_names() {
    std::string names;
    for (const PreTokenizer& known : kPreTokenizers) {
        if (!names.empty()) names += ", ";
        names += known.name;
    }
    return names;
}

std::vector<std::string_view> cut_words(const PreTokenizer& pre_tokenizer, std::string_view text) {
    const std::vector<Character> characters = unicode::characters_of(text);
    std::vector<Text> words;
    if (!characters.empty()) words.push_back(characters);
    for (const Rule rule : pre_tokenizer.rules) words = cut_by(rule, words);
    std::vector<std::string_view> out;
    out.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t begin = words[i].front().offset;
        const std::size_t end = i + 1 < words.size() ? words[i + 1].front().offset : text.size();
        out.push_back(text.substr(begin, end - begin));
    }
    return out;
}

}  // namespace splitscope
