// SPDX-License-Identifier: MIT
#include "engine/models/templates/text_functions.hpp"

#include <algorithm>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/unicode/unicode.hpp"

namespace splitscope::templates {
namespace {

using unicode::Character;

bool is_white_space(char32_t c) {
    if (c < 0x80) return c == U' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::size_t end_of(const std::vector<Character>& characters, std::size_t i, std::string_view text) {
    return i + 1 < characters.size() ? characters[i + 1].offset : text.size();
}

template <class Goes>
std::string_view stripped_where(std::string_view text, bool left, bool right, Goes goes) {
    const std::vector<Character> characters = unicode::characters_of(text);
    std::size_t first = 0;
    std::size_t last = characters.size();
    while (left && first < last && goes(characters[first].value)) ++first;
    while (right && last > first && goes(characters[last - 1].value)) --last;
    if (first == last) return {};
    const std::size_t begin = characters[first].offset;
    return text.substr(begin, end_of(characters, last - 1, text) - begin);
}

/// Case mapping beyond ASCII requires tables: no text is better than a wrong one.
void require_ascii(std::string_view text, std::string_view what) {
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        throw unsupported(msg::kOnNonAscii(what));
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
char upper_of(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}
char lower_of(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

std::string_view stripped(std::string_view text, bool left, bool right) {
    return stripped_where(text, left, right, is_white_space);
}

std::string_view stripped_of(std::string_view text, std::string_view characters, bool left, bool right) {
    const std::vector<Character> set = unicode::characters_of(characters);
    return stripped_where(text, left, right, [&](char32_t c) {
        return std::ranges::find(set, c, &Character::value) != set.end();
    });
}

std::string upper(std::string_view text) {
    require_ascii(text, "upper");
    std::string out(text);
    std::ranges::transform(out, out.begin(), upper_of);
    return out;
}

std::string lower(std::string_view text) {
    require_ascii(text, "lower");
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower_of);
    return out;
}

std::string capitalized(std::string_view text) {
    require_ascii(text, "capitalize");
    std::string out = lower(text);
    if (!out.empty()) out.front() = upper_of(out.front());
    return out;
}

std::string titled(std::string_view text) {
    require_ascii(text, "title");
    std::string out(text);
    bool in_word = false;
    for (char& c : out) {
        c = in_word ? lower_of(c) : upper_of(c);
        in_word = is_letter(c);
    }
    return out;
}

std::string replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t most) {
    std::string out;
    if (old.empty()) {
        const std::vector<Character> characters = unicode::characters_of(text);
        for (std::size_t i = 0; i <= characters.size(); ++i) {
            if (most < 0 || static_cast<std::int64_t>(i) < most) out += with;
            if (i < characters.size())
                out += text.substr(characters[i].offset, end_of(characters, i, text) - characters[i].offset);
        }
        return out;
    }
    std::size_t at = 0;
    for (std::int64_t times = 0; most < 0 || times < most; ++times) {
        const std::size_t found = text.find(old, at);
        if (found == std::string_view::npos) break;
        out += text.substr(at, found - at);
        out += with;
        at = found + old.size();
    }
    return out.append(text.substr(at));
}

std::vector<std::string> split_at(std::string_view text, std::string_view separator, std::int64_t most) {
    if (separator.empty()) throw failed(msg::kEmptySeparator);
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (std::int64_t times = 0; most < 0 || times < most; ++times) {
        const std::size_t found = text.find(separator, at);
        if (found == std::string_view::npos) break;
        parts.emplace_back(text.substr(at, found - at));
        at = found + separator.size();
    }
    parts.emplace_back(text.substr(at));
    return parts;
}

std::vector<std::string> split_from_end(std::string_view text, std::string_view separator,
                                        std::int64_t most) {
    if (separator.empty()) throw failed(msg::kEmptySeparator);
    std::vector<std::string> parts;
    for (std::int64_t times = 0; most < 0 || times < most; ++times) {
        const std::size_t found = text.rfind(separator);
        if (found == std::string_view::npos) break;
        parts.emplace_back(text.substr(found + separator.size()));
        text = text.substr(0, found);
    }
    parts.emplace_back(text);
    std::ranges::reverse(parts);
    return parts;
}

std::vector<std::string> split_at_spaces(std::string_view text, std::int64_t most) {
    std::vector<std::string> parts;
    const std::vector<Character> characters = unicode::characters_of(text);
    std::size_t i = 0;
    for (;;) {
        while (i < characters.size() && is_white_space(characters[i].value)) ++i;
        if (i == characters.size()) return parts;
        const std::size_t begin = characters[i].offset;
        if (most >= 0 && static_cast<std::int64_t>(parts.size()) == most) {
            parts.emplace_back(text.substr(begin));
            return parts;
        }
        while (i < characters.size() && !is_white_space(characters[i].value)) ++i;
        parts.emplace_back(text.substr(begin, end_of(characters, i - 1, text) - begin));
    }
}

std::vector<std::string> lines_of(std::string_view text) {
    const auto ends_line = [](char32_t c) {
        return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
               c == 0x2029;
    };
    std::vector<std::string> lines;
    const std::vector<Character> characters = unicode::characters_of(text);
    std::size_t begin = 0;
    for (std::size_t i = 0; i < characters.size(); ++i) {
        if (!ends_line(characters[i].value)) continue;
        lines.emplace_back(text.substr(begin, characters[i].offset - begin));
        const bool two =
            characters[i].value == U'\r' && i + 1 < characters.size() && characters[i + 1].value == U'\n';
        if (two) ++i;
        begin = end_of(characters, i, text);
    }
    if (begin < text.size()) lines.emplace_back(text.substr(begin));
    return lines;
}

std::size_t length_of(std::string_view text) {
    return unicode::characters_of(text).size();
}

}  // namespace splitscope::templates
