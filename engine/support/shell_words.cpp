// SPDX-License-Identifier: MIT
#include "engine/support/shell_words.hpp"

#include <algorithm>

namespace splitscope {
namespace {

/// Characters without a meaning for shells, anywhere in a word.
bool is_plain(char c) {
    constexpr std::string_view signs = "_-./:,+@%";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           signs.find(c) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> shell_words(std::string_view line) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;  // inside a word, which may be empty
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

std::string shell_quoted(std::string_view word) {
    if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

}  // namespace splitscope
