// SPDX-License-Identifier: MIT
#include "engine/importers/log_lines.hpp"

#include <cstddef>

#include "engine/support/ascii.hpp"

namespace splitscope {
namespace {

bool is_level(char c) {
    return c == 'D' || c == 'I' || c == 'W' || c == 'E';
}

/// Length of a colour sequence at the start of the text, or 0.
std::size_t colour_length(std::string_view text) {
    if (text.size() < 3 || text[0] != '\x1b' || text[1] != '[') return 0;
    std::size_t i = 2;
    while (i < text.size() && (is_digit(text[i]) || text[i] == ';')) ++i;
    return i < text.size() && text[i] == 'm' ? i + 1 : 0;
}

bool digits(std::string_view text, std::size_t at, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (!is_digit(text[at + i])) return false;
    }
    return true;
}

/// Length of a timestamp from its first dot at `dot`: minutes "." ss "." mmm "." uuu " " level " "; or 0. The
/// final blank may be missing at the end of a line.
std::size_t stamp_length(std::string_view text, std::size_t dot) {
    constexpr std::size_t kLength = 14;
    const std::size_t left = text.size() - dot;
    if (dot == 0 || !is_digit(text[dot - 1]) || left < kLength - 1) return 0;
    if (text[dot + 3] != '.' || text[dot + 7] != '.' || text[dot + 11] != ' ' || !is_level(text[dot + 12]))
        return 0;
    if (!digits(text, dot + 1, 2) || !digits(text, dot + 4, 3) || !digits(text, dot + 8, 3)) return 0;
    if (left == kLength - 1) return left;
    return text[dot + 13] == ' ' ? kLength : 0;
}

}  // namespace

std::string_view LineCleaner::clean(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find('\x1b') != std::string_view::npos) {
        std::string plain;
        plain.reserve(line.size());
        for (std::size_t i = 0; i < line.size();) {
            const std::size_t colour = colour_length(line.substr(i));
            if (colour == 0) plain += line[i];
            i += colour == 0 ? 1 : colour;
        }
        buffer_ = std::move(plain);
        line = buffer_;
    }
    std::size_t dot = line.find('.');
    while (dot != std::string_view::npos && stamp_length(line, dot) == 0) dot = line.find('.', dot + 1);
    if (dot == std::string_view::npos) return line;

    std::string plain;
    plain.reserve(line.size());
    std::size_t copied = 0;
    while (dot != std::string_view::npos) {
        if (const std::size_t length = stamp_length(line, dot); length > 0) {
            std::size_t start = dot;
            while (start > copied && is_digit(line[start - 1])) --start;
            plain += line.substr(copied, start - copied);
            copied = dot + length;
            dot = copied;
        } else {
            ++dot;
        }
        dot = line.find('.', dot);
    }
    plain += line.substr(copied);
    buffer_ = std::move(plain);
    return buffer_;
}

void skip_level(std::string_view& rest) {
    if (rest.size() >= 2 && is_level(rest[0]) && rest[1] == ' ') rest.remove_prefix(2);
}

}  // namespace splitscope
