// SPDX-License-Identifier: MIT
#include "engine/models/pre_tokenizer.hpp"

#include <algorithm>
#include <array>

#include "engine/models/word_patterns.hpp"

namespace splitscope {
namespace {

using namespace words;  // NOLINT(google-build-using-namespace): the table below is written in them

using Rule = std::span<const WordPattern>;

constexpr std::array<WordPattern, 5> kGpt2Words = {contraction<false>, spaced_letters, spaced_numbers,
                                                   spaced_signs, spaces_but_last};
constexpr std::array<WordPattern, 7> kLlama3Words = {
    contraction<true>,  led_letters,     few_numbers<3>, spaced_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kQwen2Words = {
    contraction<true>,  led_letters,     few_numbers<1>, spaced_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kQwen35Words = {
    contraction<true>,  led_letters_and_marks, few_numbers<1>, spaced_unmarked_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last,       spaces};
constexpr std::array<WordPattern, 6> kUfakzekaWords = {
    led_letters, few_numbers<1>, spaced_signs_and_line_ends, spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kSeedCoderWords = {
    contraction<true>,  led_letters,     few_numbers<1>, spaced_signs,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kMiniCpm5Words = {
    contraction<true>,  led_letters,     numbers, spaced_signs_and_line_ends,
    spaces_to_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 6> kJais2Words = {contraction<true>,  led_letters,
                                                    few_numbers<3>,     spaced_signs_and_line_ends,
                                                    spaces_to_line_end, spaces_by_powers_of_two};
constexpr std::array<WordPattern, 7> kExaoneMoeWords = {
    contraction<true>,  led_phrase,      few_numbers<1>, spaced_signs_and_one_line_end_or_slash,
    spaces_to_line_end, spaces_but_last, spaces};
/// Words in camel case with up to kNumbers numbers together.
template <WordLetters kLetters, bool kWithContraction, std::size_t kNumbers>
constexpr std::array<WordPattern, 6> kCasedWords = {cased_word<kLetters, kWithContraction>,
                                                    few_numbers<kNumbers>,
                                                    spaced_signs_line_ends_and_slashes,
                                                    spaces_to_line_end,
                                                    spaces_but_last,
                                                    spaces};
constexpr std::array<WordPattern, 6> kDeepSeek3Words = {
    sign_and_ascii_letters, led_by_no_sign,  spaced_written_signs_and_line_ends,
    spaces_to_line_end,     spaces_but_last, spaces};
constexpr std::array<WordPattern, 6> kSparkWords = {
    sign_and_ascii_letters, led_by_no_sign, spaced_written_signs, one_line_end, spaces_but_last, spaces};
constexpr std::array<WordPattern, 7> kKimiWords = {han,
                                                   led_letters_but_han,
                                                   few_numbers<3>,
                                                   spaced_signs_and_line_ends,
                                                   spaces_to_line_end,
                                                   spaces_but_last,
                                                   spaces};
/// Rules of one pattern.
template <WordPattern kPattern>
constexpr std::array<WordPattern, 1> kOnly = {kPattern};

constexpr std::array<Rule, 1> kGpt2 = {kGpt2Words};
constexpr std::array<Rule, 1> kLlama3 = {kLlama3Words};
constexpr std::array<Rule, 1> kQwen2 = {kQwen2Words};
constexpr std::array<Rule, 1> kQwen35 = {kQwen35Words};
constexpr std::array<Rule, 1> kUfakzeka = {kUfakzekaWords};
constexpr std::array<Rule, 1> kSeedCoder = {kSeedCoderWords};
constexpr std::array<Rule, 2> kMiniCpm5 = {kOnly<few_numbers<3>>, kMiniCpm5Words};
constexpr std::array<Rule, 1> kJais2 = {kJais2Words};
constexpr std::array<Rule, 1> kExaoneMoe = {kExaoneMoeWords};
constexpr std::array<Rule, 2> kLaguna = {kOnly<line>, kQwen2Words};
constexpr std::array<Rule, 1> kGpt4o = {kCasedWords<WordLetters::cased, true, 3>};
constexpr std::array<Rule, 1> kTekken = {kCasedWords<WordLetters::cased, false, 1>};
constexpr std::array<Rule, 1> kGraniteEmbedding = {kCasedWords<WordLetters::cased_and_marks, true, 3>};
constexpr std::array<Rule, 2> kTinyAya = {kOnly<up_to_group_of_numbers>,
                                          kCasedWords<WordLetters::letters_and_marks, true, 3>};
constexpr std::array<Rule, 2> kYoutu = {kOnly<one_eastern_script>,
                                        kCasedWords<WordLetters::letters_and_marks, true, 1>};
constexpr std::array<Rule, 2> kStarCoder = {kOnly<few_numbers<1>>, kGpt2Words};
constexpr std::array<Rule, 3> kFalcon = {kOnly<punctuation_and_backticks>, kGpt2Words,
                                         kOnly<three_ascii_digits>};
constexpr std::array<Rule, 4> kDefault = {kOnly<punctuation>, kGpt2Words, kOnly<numbers>,
                                          kOnly<three_ascii_digits>};
constexpr std::array<Rule, 6> kDeepSeekLlm = {kOnly<one_line_end>,
                                              kOnly<spaced_cased_letters>,
                                              kOnly<spaced_between_signs>,
                                              kOnly<spaces_at_the_end>,
                                              kOnly<eastern>,
                                              kOnly<numbers>};
constexpr std::array<Rule, 5> kDeepSeekCoder = {kOnly<one_line_end>, kOnly<any_spaced_letters>,
                                                kOnly<any_spaced_punctuation>, kOnly<eastern>,
                                                kOnly<few_numbers<1>>};
constexpr std::array<Rule, 3> kDeepSeek3 = {kOnly<few_numbers<3>>, kOnly<han_or_kana>, kDeepSeek3Words};
constexpr std::array<Rule, 4> kSpark = {kOnly<few_numbers<3>>, kOnly<han_or_kana>, kSparkWords,
                                        kOnly<few_numbers<1>>};
constexpr std::array<Rule, 3> kAfmoe = {kOnly<up_to_group_of_numbers>, kOnly<unspaced_scripts>,
                                        kDeepSeek3Words};
constexpr std::array<Rule, 1> kKimi = {kKimiWords};
constexpr std::array<Rule, 2> kSuperBpe = {kOnly<numbers>, kOnly<counted_from_the_end>};
constexpr std::array<Rule, 1> kBloom = {kOnly<spaced_clause>};
constexpr std::array<Rule, 2> kViking = {kOnly<spaced_clause>, kOnly<few_numbers<1>>};
constexpr std::array<Rule, 6> kChameleon = {
    kOnly<sentinel>,       kOnly<picture>,         kOnly<tab_line_feed_or_even_spaces>,
    kOnly<few_numbers<1>>, kOnly<one_punctuation>, kGpt2Words};
constexpr std::array<Rule, 1> kLines = {kOnly<line>};
constexpr std::array<Rule, 1> kUnspaced = {kOnly<unspaced>};

/// To add one, add a row; aliases share their rules.
constexpr std::array kPreTokenizers = {
    PreTokenizer{.name = "default", .rules = kDefault},
    PreTokenizer{.name = "gpt-2", .rules = kGpt2},
    PreTokenizer{.name = "phi-2", .rules = kGpt2},
    PreTokenizer{.name = "mpt", .rules = kGpt2},
    PreTokenizer{.name = "olmo", .rules = kGpt2},
    PreTokenizer{.name = "jais", .rules = kGpt2},
    PreTokenizer{.name = "trillion", .rules = kGpt2},
    PreTokenizer{.name = "granite-docling", .rules = kGpt2},
    PreTokenizer{.name = "jina-es", .rules = kGpt2},
    PreTokenizer{.name = "jina-de", .rules = kGpt2},
    PreTokenizer{.name = "jina-v1-en", .rules = kGpt2},
    PreTokenizer{.name = "jina-v2-es", .rules = kGpt2},
    PreTokenizer{.name = "jina-v2-de", .rules = kGpt2},
    PreTokenizer{.name = "jina-v2-code", .rules = kGpt2},
    PreTokenizer{.name = "roberta-bpe", .rules = kGpt2},
    PreTokenizer{.name = "gigachat", .rules = kGpt2},
    PreTokenizer{.name = "a.x-4.0", .rules = kGpt2},
    PreTokenizer{.name = "mellum", .rules = kGpt2},
    PreTokenizer{.name = "modern-bert", .rules = kGpt2},
    PreTokenizer{.name = "exaone4", .rules = kGpt2},
    PreTokenizer{.name = "llama-bpe", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "llama3", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "llama-v3", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "falcon3", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "falcon-h1", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "pixtral", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "midm-2.0", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "lfm2", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "jina-v5-nano", .rules = kLlama3, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "dbrx", .rules = kLlama3},
    PreTokenizer{.name = "smaug-bpe", .rules = kLlama3},
    PreTokenizer{.name = "glm4", .rules = kLlama3},
    PreTokenizer{.name = "chatglm-bpe", .rules = kLlama3},
    PreTokenizer{.name = "jais-2", .rules = kJais2},
    PreTokenizer{.name = "qwen2", .rules = kQwen2},
    PreTokenizer{.name = "deepseek-r1-qwen", .rules = kQwen2},
    PreTokenizer{.name = "kormo", .rules = kQwen2},
    PreTokenizer{.name = "f2llmv2", .rules = kQwen2},
    PreTokenizer{.name = "megrez", .rules = kQwen2},
    PreTokenizer{.name = "stablelm2", .rules = kQwen2},
    PreTokenizer{.name = "hunyuan", .rules = kQwen2},
    PreTokenizer{.name = "solar-open", .rules = kQwen2},
    PreTokenizer{.name = "grok-2", .rules = kQwen2},
    PreTokenizer{.name = "bailingmoe", .rules = kQwen2},
    PreTokenizer{.name = "bailingmoe2", .rules = kQwen2},
    PreTokenizer{.name = "llada-moe", .rules = kQwen2},
    PreTokenizer{.name = "qwen35", .rules = kQwen35},
    PreTokenizer{.name = "ufakzeka", .rules = kUfakzeka},
    PreTokenizer{.name = "seed-coder", .rules = kSeedCoder},
    PreTokenizer{.name = "minicpm5", .rules = kMiniCpm5, .whole_words_first = true},
    PreTokenizer{.name = "exaone-moe", .rules = kExaoneMoe},
    PreTokenizer{.name = "laguna", .rules = kLaguna},
    PreTokenizer{.name = "gpt-4o", .rules = kGpt4o},
    PreTokenizer{.name = "llama4", .rules = kGpt4o},
    PreTokenizer{.name = "kanana2", .rules = kGpt4o},
    PreTokenizer{.name = "talkie", .rules = kGpt4o},
    PreTokenizer{.name = "minimax-m2", .rules = kGpt4o},
    PreTokenizer{.name = "tekken", .rules = kTekken, .whole_words_first = true, .add_begin = true},
    PreTokenizer{.name = "granite-embed-multi-97m", .rules = kGraniteEmbedding, .whole_words_first = true},
    PreTokenizer{.name = "tiny_aya", .rules = kTinyAya},
    PreTokenizer{.name = "cohere2moe", .rules = kTinyAya},
    PreTokenizer{.name = "youtu", .rules = kYoutu, .whole_words_first = true},
    PreTokenizer{.name = "starcoder", .rules = kStarCoder},
    PreTokenizer{.name = "refact", .rules = kStarCoder},
    PreTokenizer{.name = "command-r", .rules = kStarCoder},
    PreTokenizer{.name = "smollm", .rules = kStarCoder},
    PreTokenizer{.name = "codeshell", .rules = kStarCoder},
    PreTokenizer{.name = "exaone", .rules = kStarCoder},
    PreTokenizer{.name = "minerva-7b", .rules = kStarCoder},
    PreTokenizer{.name = "mellum2", .rules = kStarCoder},
    PreTokenizer{.name = "falcon", .rules = kFalcon},
    PreTokenizer{.name = "deepseek-llm", .rules = kDeepSeekLlm},
    PreTokenizer{.name = "deepseek-coder", .rules = kDeepSeekCoder},
    PreTokenizer{.name = "deepseek-v3", .rules = kDeepSeek3},
    PreTokenizer{.name = "hunyuan-dense", .rules = kDeepSeek3},
    PreTokenizer{.name = "joyai-llm", .rules = kDeepSeek3},
    PreTokenizer{.name = "hy_v4", .rules = kDeepSeek3},
    PreTokenizer{.name = "spark2_5", .rules = kSpark},
    PreTokenizer{.name = "afmoe", .rules = kAfmoe},
    PreTokenizer{.name = "kimi-k2", .rules = kKimi},
    PreTokenizer{.name = "superbpe", .rules = kSuperBpe},
    PreTokenizer{.name = "bloom", .rules = kBloom},
    PreTokenizer{.name = "poro-chat", .rules = kBloom},
    PreTokenizer{.name = "gpt3-finnish", .rules = kBloom},
    PreTokenizer{.name = "viking", .rules = kViking},
    PreTokenizer{.name = "chameleon", .rules = kChameleon, .add_begin = true},
    PreTokenizer{.name = "gemma4",
                 .rules = kLines,
                 .whole_line_feeds = true,
                 .always_begin = true,
                 .raw = true,
                 .space_marks = true},
    PreTokenizer{.name = "granite-embed-multi-311m",
                 .rules = kLines,
                 .whole_line_feeds = true,
                 .always_begin = true,
                 .raw = true,
                 .space_marks = true},
    PreTokenizer{.name = "sarvam-moe", .rules = kLines, .raw = true, .space_marks = true},
    PreTokenizer{.name = "whitespace", .rules = kUnspaced, .raw = true},
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

std::span<const PreTokenizer> pre_tokenizers() {
    return kPreTokenizers;
}

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
