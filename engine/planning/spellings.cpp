// SPDX-License-Identifier: MIT
#include "engine/planning/spellings.hpp"

#include <algorithm>
#include <array>

namespace splitscope {
namespace {

constexpr auto kSpellings = std::to_array<Spelling>({
    {"-ngl", "--gpu-layers"},
    {"-ub", "--ubatch"},
    {"-fa", "--flash-attention", Behind::maybe_choice},
    {"-ctk", "--cache-type-k"},
    {"-ctv", "--cache-type-v"},
    {"-ot", "--override-tensor"},
    {"-cmoe", "--cpu-moe", Behind::nothing},
    {"-ncmoe", "--n-cpu-moe"},
    {"-ts", "--tensor-split"},
    {"-sm", "--split-mode"},
    {"-mg", "--main-gpu"},
    {"-nkvo", "--no-kv-offload", Behind::nothing},
    {"-kvo", "--kv-offload", Behind::nothing},
    {"-nopo", "--no-op-offload", Behind::nothing},
    {"-np", "--parallel"},
    {"-kvu", "--kv-unified", Behind::nothing},
    {"-no-kvu", "--no-kv-unified", Behind::nothing},
    {"-nr", "--no-repack", Behind::nothing},
    {"-lm", "--load-mode"},
    {"-dev", "--device"},
});

/// Long names whose value is in a word of its own only when it is one of the choices.
constexpr auto kMaybeChoice = std::to_array<std::string_view>({"--flash-attention", "--flash-attn"});

const Spelling* spelling_of(std::string_view word) {
    const auto found = std::ranges::find(kSpellings, word, &Spelling::spelled);
    return found == kSpellings.end() ? nullptr : &*found;
}

bool is_bit(std::string_view word) {
    return word == "0" || word == "1";
}

bool is_choice(std::string_view word) {
    return word == "on" || word == "off" || word == "auto" || is_bit(word);
}

}  // namespace

std::vector<std::string> spellings_of(std::string_view option) {
    std::vector<std::string> out;
    for (const Spelling& spelling : kSpellings)
        if (spelling.option == option) out.emplace_back(spelling.spelled);
    return out;
}

std::vector<std::string> in_our_spelling(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    // What follows these is another program's, -ot of capture, too.
    if (!words.empty() && words.front() == "record") return words;
    if (!words.empty() && words.front() == "capture") {
        std::ranges::replace(words, std::string("-o"), std::string("--output"));
        return words;
    }
    return in_our_spelling(words);
}

std::vector<std::string> in_our_spelling(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view name = std::string_view(word).substr(0, equals);
        const Spelling* spelling = spelling_of(name);
        const Behind behind = spelling != nullptr ? spelling->behind
                              : std::ranges::find(kMaybeChoice, name) != kMaybeChoice.end()
                                  ? Behind::maybe_choice
                                  : Behind::value;
        std::string made =
            (spelling != nullptr ? std::string(spelling->option) : std::string(name)) + word.substr(equals);
        const bool open = behind != Behind::value && equals == word.size();
        const std::string_view next =
            i + 1 < words.size() ? std::string_view(words[i + 1]) : std::string_view();
        if (open && (behind == Behind::maybe_choice ? is_choice(next) : is_bit(next))) {
            made += "=" + words[++i];
        } else if (open && behind == Behind::maybe_choice) {
            made += "=on";
        }
        out.push_back(std::move(made));
    }
    return out;
}

std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;  // a word, even an empty one
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool more = i + 1 < line.size();
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && more) {
            if (line[++i] == '\n') continue;
            word += line[i];
            open = true;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            open = true;
        } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            if (open) words.push_back(std::move(word));
            word.clear();
            open = false;
        } else {
            word += c;
            open = true;
        }
    }
    if (open) words.push_back(std::move(word));
    return words;
}

}  // namespace splitscope
