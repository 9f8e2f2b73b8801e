// SPDX-License-Identifier: MIT
#include "engine/models/templates/lexer.hpp"

#include <algorithm>
#include <array>

#include "engine/models/templates/failures.hpp"
#include "engine/models/templates/messages.hpp"
#include "engine/models/unicode/unicode.hpp"
#include "engine/support/ascii.hpp"

namespace splitscope::templates {
namespace {

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
bool begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Normalises line ends to "\n" and removes the last.
std::string with_line_feeds(std::string_view source) {
    std::string out;
    out.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') {
            out += source[i];
            continue;
        }
        out += '\n';
        if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    }
    if (out.ends_with('\n')) out.pop_back();
    return out;
}

class Lexer {
 public:
    Lexer(std::string_view source, std::size_t& line) : source_(source), line_(line) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) read_data();
        add(TokenType::end, {});
        return std::move(tokens_);
    }

 private:
    bool follows(std::string_view text, std::size_t at) const { return source_.substr(at).starts_with(text); }
    bool follows(std::string_view text) const { return follows(text, at_); }

    void add(TokenType type, std::string_view text) { tokens_.push_back({type, std::string(text), line_}); }
    void advance(std::size_t bytes) {
        line_ += static_cast<std::size_t>(std::ranges::count(source_.substr(at_, bytes), '\n'));
        at_ += bytes;
    }
    void skip_spaces() {
        std::size_t end = at_;
        while (end < source_.size() && is_space(source_[end])) ++end;
        advance(end - at_);
    }

    /// Text up to the next delimiter, and the delimiter's token.
    void read_data() {
        const bool starts_line = at_ == 0 || source_[at_ - 1] == '\n';
        std::size_t mark = at_;
        for (;; ++mark) {
            mark = source_.find('{', mark);
            if (mark == std::string_view::npos || mark + 1 >= source_.size()) {
                add(TokenType::data, source_.substr(at_));
                advance(source_.size() - at_);
                return;
            }
            const char kind = source_[mark + 1];
            if (kind == '%' || kind == '{' || kind == '#') break;
        }
        const char kind = source_[mark + 1];
        const char sign = mark + 2 < source_.size() ? source_[mark + 2] : ' ';
        const bool has_sign = sign == '-' || sign == '+';
        std::string_view data = source_.substr(at_, mark - at_);
        if (sign == '-')
            data = without_spaces_at_end(data);
        else if (sign != '+' && kind != '{')
            data = without_indent(data, starts_line);
        if (!data.empty()) add(TokenType::data, data);
        advance(mark - at_ + (has_sign ? 3 : 2));
        if (kind == '#')
            read_comment();
        else if (kind == '{')
            read_expression(TokenType::begin_print, TokenType::end_print, "}}");
        else if (!read_raw())
            read_expression(TokenType::begin_statement, TokenType::end_statement, "%}");
    }

    static std::string_view without_spaces_at_end(std::string_view data) {
        while (!data.empty() && is_space(data.back())) data.remove_suffix(1);
        return data;
    }
    /// Removes the spaces before a delimiter at the beginning of its line.
    static std::string_view without_indent(std::string_view data, bool starts_line) {
        const std::size_t feed = data.rfind('\n');
        if (feed == std::string_view::npos && !starts_line) return data;
        const std::size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
        return std::ranges::all_of(data.substr(begin), is_space) ? data.substr(0, begin) : data;
    }

    /// After the end of a statement or comment: "-" takes the spaces behind it; without it one line feed
    /// goes.
    void after_mark(char sign) {
        if (sign == '-')
            skip_spaces();
        else if (sign != '+' && follows("\n"))
            advance(1);
    }

    void read_comment() {
        const std::size_t end = source_.find("#}", at_);
        if (end == std::string_view::npos) throw wrong_syntax(msg::kCommentNotClosed);
        const char sign = end > at_ ? source_[end - 1] : ' ';
        advance(end + 2 - at_);
        after_mark(sign);
    }

    std::size_t after_spaces(std::size_t at) const {
        while (at < source_.size() && is_space(source_[at])) ++at;
        return at;
    }

    /// {% raw %} up to {% endraw %}; false for another statement.
    bool read_raw() {
        std::size_t at = after_spaces(at_);
        if (!follows("raw", at)) return false;
        at = after_spaces(at + 3);
        const bool minus = follows("-%}", at);
        if (!minus && !follows("%}", at)) return false;
        advance(at + (minus ? 3 : 2) - at_);
        if (minus) skip_spaces();
        const bool starts_line = source_[at_ - 1] == '\n';
        for (std::size_t mark = source_.find("{%", at_); mark != std::string_view::npos;
             mark = source_.find("{%", mark + 1)) {
            const char sign = mark + 2 < source_.size() ? source_[mark + 2] : ' ';
            std::size_t end = after_spaces(mark + (sign == '-' || sign == '+' ? 3 : 2));
            if (!follows("endraw", end)) continue;
            end = after_spaces(end + 6);
            const char end_sign = end < source_.size() ? source_[end] : ' ';
            if (end_sign == '-' || end_sign == '+') ++end;
            if (!follows("%}", end)) continue;
            std::string_view data = source_.substr(at_, mark - at_);
            if (sign == '-')
                data = without_spaces_at_end(data);
            else if (sign != '+')
                data = without_indent(data, starts_line);
            if (!data.empty()) add(TokenType::data, data);
            advance(end + 2 - at_);
            after_mark(end_sign);
            return true;
        }
        throw wrong_syntax(msg::kRawNotClosed);
    }

    void read_expression(TokenType begin, TokenType end, std::string_view mark) {
        add(begin, {});
        std::size_t open = 0;
        for (;;) {
            skip_spaces();
            if (at_ >= source_.size()) throw wrong_syntax(msg::kTagNotClosed);
            const char sign = source_[at_];
            const bool has_sign =
                (sign == '-' || (sign == '+' && end == TokenType::end_statement)) && follows(mark, at_ + 1);
            if (open == 0 && (has_sign || follows(mark))) {
                add(end, {});
                advance(mark.size() + (has_sign ? 1 : 0));
                if (end == TokenType::end_statement || sign == '-') after_mark(has_sign ? sign : ' ');
                return;
            }
            read_token(open);
        }
    }

    void read_token(std::size_t& open) {
        const char c = source_[at_];
        if (begins_name(c)) {
            take(TokenType::name, [](char each) { return begins_name(each) || is_digit(each); });
        } else if (is_digit(c)) {
            read_number();
        } else if (c == '"' || c == '\'') {
            read_text(c);
        } else {
            read_sign(open);
        }
    }

    template <class Belongs>
    void take(TokenType type, Belongs belongs) {
        std::size_t end = at_;
        while (end < source_.size() && belongs(source_[end])) ++end;
        add(type, source_.substr(at_, end - at_));
        advance(end - at_);
    }

    void read_number() {
        std::size_t end = at_;
        const auto digits = [&] {
            while (end < source_.size() && (is_digit(source_[end]) || source_[end] == '_')) ++end;
        };
        digits();
        bool decimal = false;
        if (end + 1 < source_.size() && source_[end] == '.' && is_digit(source_[end + 1])) {
            decimal = true;
            ++end;
            digits();
        }
        const auto at = [&](std::size_t place) { return place < source_.size() ? source_[place] : ' '; };
        if (at(end) == 'e' || at(end) == 'E') {
            const bool has_sign = at(end + 1) == '+' || at(end + 1) == '-';
            if (is_digit(at(end + (has_sign ? 2 : 1)))) {
                decimal = true;
                end += has_sign ? 2 : 1;
                digits();
            }
        }
        if (end < source_.size() && begins_name(source_[end])) throw unsupported(msg::kNumberWithLetters);
        std::string text(source_.substr(at_, end - at_));
        std::erase(text, '_');
        add(decimal ? TokenType::decimal : TokenType::integer, text);
        advance(end - at_);
    }

    void read_text(char quote) {
        std::size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
        if (end >= source_.size()) throw wrong_syntax(msg::kStringNotClosed);
        add(TokenType::text, unescaped(source_.substr(at_ + 1, end - at_ - 1)));
        advance(end + 1 - at_);
    }

    static std::string unescaped(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\\' || i + 1 == text.size()) {
                out += text[i];
                continue;
            }
            constexpr std::string_view written = "\\'\"abfnrtv";
            constexpr std::string_view meant = "\\'\"\a\b\f\n\r\t\v";
            const char c = text[++i];
            if (const std::size_t place = written.find(c); place != std::string_view::npos) {
                out += meant[place];
            } else if (c == 'x' || c == 'u' || c == 'U') {
                const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
                unicode::append_utf8(out, character(text.substr(i + 1, digits), digits));
                i += digits;
            } else if (c == '\n') {
                continue;
            } else if (is_digit(c) || c == 'N') {
                throw unsupported(msg::kEscape(std::string(1, c)));
            } else {
                out += '\\';
                out += c;
            }
        }
        return out;
    }
    static char32_t character(std::string_view digits, std::size_t wanted) {
        char32_t value = 0;
        for (const char c : digits) {
            const int digit = is_digit(c)            ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) throw wrong_syntax(msg::kEscapeLacksDigits);
            value = value * 16 + static_cast<char32_t>(digit);
        }
        if (digits.size() != wanted) throw wrong_syntax(msg::kEscapeLacksDigits);
        if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
            throw unsupported(msg::kEscapeOfNoCharacter);
        return value;
    }

    void read_sign(std::size_t& open) {
        constexpr std::array<std::string_view, 28> signs = {
            "//", "**", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~", "<", ">",
            "=",  "(",  ")",  "[",  "]",  "{",  "}", ".", ",", ":", "|", ";", "!", "&"};
        for (const std::string_view sign : signs) {
            if (!follows(sign)) continue;
            if (sign == "(" || sign == "[" || sign == "{") ++open;
            if (sign == ")" || sign == "]" || sign == "}") {
                if (open == 0) throw wrong_syntax(msg::kNothingToClose(sign));
                --open;
            }
            add(TokenType::sign, sign);
            advance(sign.size());
            return;
        }
        throw wrong_syntax(msg::kUnexpectedCharacter(std::string(1, source_[at_])));
    }

    std::string_view source_;
    std::size_t& line_;
    std::size_t at_ = 0;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source, std::size_t& line) {
    line = 1;
    const std::string text = with_line_feeds(source);
    return Lexer(text, line).run();
}

}  // namespace splitscope::templates
