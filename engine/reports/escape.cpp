// SPDX-License-Identifier: MIT
#include "engine/reports/escape.hpp"

#include <cmath>

#include "engine/support/parse_number.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

/// Bidirectional control characters: U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069.
bool reorders(std::string_view sequence) {
    return sequence == "\xD8\x9C" || sequence == "\xE2\x80\x8E" || sequence == "\xE2\x80\x8F" ||
           (sequence >= "\xE2\x80\xAA" && sequence <= "\xE2\x80\xAE") ||
           (sequence >= "\xE2\x81\xA6" && sequence <= "\xE2\x81\xA9");
}

bool is_control(std::string_view sequence) {
    const auto lead = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return lead < 0x20 || lead == 0x7F;
    if (sequence.size() == 2 && lead == 0xC2) return static_cast<unsigned char>(sequence[1]) < 0xA0;
    // U+FFFE and U+FFFF are not allowed in HTML.
    return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF" || reorders(sequence);
}

bool is_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const auto value = parse_number<double>(text);
    return value && std::isfinite(*value);
}

/// Spreadsheets evaluate cells with this prefix, and names in files are untrusted.
bool is_formula(std::string_view text) {
    constexpr std::string_view starts = "=+-@\t\r\n";
    return !text.empty() && starts.find(text.front()) != std::string_view::npos && !is_number(text);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_sequence_length(text);
        if (length == 0) {
            out += kReplacementCharacter;
            text.remove_prefix(1);
            continue;
        }
        const std::string_view sequence = text.substr(0, length);
        out += is_control(sequence) ? kReplacementCharacter : sequence;
        text.remove_prefix(length);
    }
    return out;
}

std::string escape_html(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string escape_markdown(std::string_view text) {
    constexpr std::string_view special = "\\`*_{}[]<>#|~&";
    std::string out;
    for (const char c : printable(text)) {
        if (special.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

std::string escape_csv(std::string_view text) {
    const std::string_view guard = is_formula(text) ? "'" : "";
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(guard).append(text);
    std::string out = "\"";
    out += guard;
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
    return out;
}

std::string shorten(std::string_view text, std::size_t max) {
    std::string clean = printable(text);
    std::size_t characters = 0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        if ((static_cast<unsigned char>(clean[i]) & 0xC0) == 0x80) continue;
        if (characters + 1 == max) cut = i;
        if (++characters > max) return clean.substr(0, cut) + "…";
    }
    return clean;
}

}  // namespace splitscope
