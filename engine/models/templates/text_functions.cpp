// SPDX-License-Identifier: MIT
#include "engine/models/templates/text_functions.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/models/templates/budget.hpp"
#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/unicode/unicode.hpp"

namespace splitscope::templates {
namespace {

bool is_white_space(char32_t c) {
    if (c < 0x80) return c == U' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

template <class Goes>
std::string_view stripped_where(std::string_view text, bool left, bool right, Goes goes) {
    std::size_t first = left ? text.size() : 0;
    std::size_t last = right ? 0 : text.size();
    for_each_character(text, [&](char32_t c, std::size_t begin, std::size_t end) {
        if (goes(c)) return;
        first = std::min(first, begin);
        last = std::max(last, end);
    });
    return first < last ? text.substr(first, last - first) : std::string_view();
}

/// Adds the parts of a split.
class Parts {
 public:
    explicit Parts(Budget& budget) : budget_(budget) {}
    void add(std::string_view part) {
        budget_.count_bytes(sizeof part);
        parts_.push_back(part);
    }
    std::size_t size() const { return parts_.size(); }
    std::vector<std::string_view> take() { return std::move(parts_); }

 private:
    Budget& budget_;
    std::vector<std::string_view> parts_;
};

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
    std::vector<char32_t> set;
    for_each_character(characters, [&](char32_t c, std::size_t, std::size_t) { set.push_back(c); });
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return stripped_where(text, left, right, [&](char32_t c) { return std::ranges::binary_search(set, c); });
}

std::size_t first_place(std::string_view text, std::string_view part, std::size_t from, Budget& budget) {
    if (from > text.size()) return std::string_view::npos;
    if (part.empty()) return from;
    std::size_t place = std::string_view::npos;
    // memmem() takes linear time for any part, but AddressSanitizer checks the rest of the text at each call.
    constexpr std::size_t kShort = 16;
    if (part.size() <= kShort) {
        place = text.find(part, from);
    } else if (const void* found =
                   ::memmem(text.data() + from, text.size() - from, part.data(), part.size())) {
        place = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    }
    budget.count_scan(place == std::string_view::npos ? text.size() - from : place + part.size() - from);
    return place;
}

std::size_t last_place(std::string_view text, std::string_view part, Budget& budget) {
    if (part.size() > text.size()) return std::string_view::npos;
    budget.count_bytes(text.size() + part.size());
    const std::string backward(text.rbegin(), text.rend());
    const std::size_t found = first_place(backward, std::string(part.rbegin(), part.rend()), 0, budget);
    return found != std::string_view::npos ? text.size() - found - part.size() : found;
}

std::string_view characters_between(std::string_view text, std::size_t first, std::size_t last) {
    const auto skip = [&](std::size_t at, std::size_t count) {
        for (; count > 0 && at < text.size(); --count) at += unicode::decode_front(text.substr(at)).length;
        return at;
    };
    const std::size_t begin = skip(0, first);
    return last > first ? text.substr(begin, skip(begin, last - first) - begin) : std::string_view();
}

std::string reversed(std::string_view text) {
    std::string out(text.size(), '\0');
    for_each_character(text, [&](char32_t, std::size_t begin, std::size_t end) {
        text.copy(out.data() + (text.size() - end), end - begin, begin);
    });
    return out;
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

std::string replaced(std::string_view text, std::string_view old, std::string_view with, std::int64_t most,
                     Budget& budget) {
    std::string out;
    if (old.empty()) {
        std::int64_t times = 0;
        const auto insert = [&] {
            if (most < 0 || times++ < most) budget.append(out, with);
        };
        for_each_character(text, [&](char32_t, std::size_t begin, std::size_t end) {
            insert();
            budget.append(out, text.substr(begin, end - begin));
        });
        insert();
        return out;
    }
    std::size_t at = 0;
    for (std::int64_t times = 0; most < 0 || times < most; ++times) {
        const std::size_t found = first_place(text, old, at, budget);
        if (found == std::string_view::npos) break;
        budget.append(out, text.substr(at, found - at));
        budget.append(out, with);
        at = found + old.size();
    }
    budget.append(out, text.substr(at));
    return out;
}

std::vector<std::string_view> split_at(std::string_view text, std::string_view separator, std::int64_t most,
                                       Budget& budget) {
    if (separator.empty()) throw failed(msg::kEmptySeparator);
    Parts parts(budget);
    std::size_t at = 0;
    for (std::int64_t times = 0; most < 0 || times < most; ++times) {
        const std::size_t found = first_place(text, separator, at, budget);
        if (found == std::string_view::npos) break;
        parts.add(text.substr(at, found - at));
        at = found + separator.size();
    }
    parts.add(text.substr(at));
    return parts.take();
}

std::vector<std::string_view> split_from_end(std::string_view text, std::string_view separator,
                                             std::int64_t most, Budget& budget) {
    if (separator.empty()) throw failed(msg::kEmptySeparator);
    budget.count_bytes(text.size() + separator.size());
    const std::string backward(text.rbegin(), text.rend());
    const std::string mark(separator.rbegin(), separator.rend());
    std::vector<std::string_view> parts = split_at(backward, mark, most, budget);
    for (std::string_view& part : parts)
        part = text.substr(
            text.size() - static_cast<std::size_t>(part.data() - backward.data()) - part.size(), part.size());
    std::ranges::reverse(parts);
    return parts;
}

std::vector<std::string_view> split_at_spaces(std::string_view text, std::int64_t most, Budget& budget) {
    Parts parts(budget);
    constexpr auto kNone = std::string_view::npos;
    std::size_t begin = kNone;  // of the part that is open
    bool is_last = false;       // it has the rest of the text
    for_each_character(text, [&](char32_t c, std::size_t at, std::size_t) {
        if (begin == kNone && !is_white_space(c)) {
            begin = at;
            is_last = most >= 0 && static_cast<std::int64_t>(parts.size()) == most;
        } else if (begin != kNone && !is_last && is_white_space(c)) {
            parts.add(text.substr(begin, at - begin));
            begin = kNone;
        }
    });
    if (begin != kNone) parts.add(text.substr(begin));
    return parts.take();
}

std::vector<std::string_view> lines_of(std::string_view text, Budget& budget) {
    const auto ends_line = [](char32_t c) {
        return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
               c == 0x2029;
    };
    Parts lines(budget);
    std::size_t first = 0;
    char32_t before = 0;
    for_each_character(text, [&](char32_t c, std::size_t begin, std::size_t end) {
        const bool continues = c == U'\n' && before == U'\r';
        before = c;
        if (!ends_line(c)) return;
        if (!continues) lines.add(text.substr(first, begin - first));
        first = end;
    });
    if (first < text.size()) lines.add(text.substr(first));
    return lines.take();
}

std::size_t length_of(std::string_view text) {
    std::size_t count = 0;
    for_each_character(text, [&](char32_t, std::size_t, std::size_t) { ++count; });
    return count;
}

}  // namespace splitscope::templates
