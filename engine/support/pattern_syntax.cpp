// SPDX-License-Identifier: MIT
#include "engine/support/pattern_syntax.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {
namespace {

/// Parts of a set. RE2's \s lacks the vertical tab.
constexpr std::string_view kSpaces = "\\t-\\r ";
constexpr std::string_view kNoSpaces = "\\x00-\\x08\\x0e-\\x1f!-\\xff";
constexpr std::string_view kAllBytes = "\\x00-\\xff";
constexpr auto kClassNames =
    std::to_array<std::string_view>({"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print",
                                     "punct", "space", "upper", "xdigit"});

[[noreturn]] void refuse(Message problem, std::size_t place) {
    throw Error(ErrorKind::usage, msg::kPatternMistake(std::move(problem), place + 1), msg::kPlacePattern,
                msg::kCorrectPattern);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void append_byte(std::string& out, char c) {
    if (is_digit(c) || is_letter(c) || c == '_') {
        out += c;
    } else {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    }
}

/// The syntax that both kinds of patterns share.
class PatternReader {
 protected:
    explicit PatternReader(std::string_view text) : text_(text) {
        if (text.size() > kMaxPatternBytes) refuse(msg::kPatternTooLong(kMaxPatternBytes), kMaxPatternBytes);
    }

    bool at_end() const { return at_ == text_.size(); }
    bool next_is(char c, std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() && text_[at_ + ahead] == c;
    }
    bool take(char c) {
        const bool found = next_is(c);
        if (found) ++at_;
        return found;
    }

    /// A byte of a set, or a range.
    template <class ReadByte>
    void read_range(std::string& set, const ReadByte& read_byte) {
        const char low = read_byte();
        char high = low;
        if (next_is('-') && !next_is(']', 1) && at_ + 1 < text_.size()) {
            ++at_;
            high = read_byte();
        }
        if (static_cast<unsigned char>(high) < static_cast<unsigned char>(low))
            refuse(msg::kRangeReversed, at_ - 1);
        append_byte(set, low);
        set += '-';
        append_byte(set, high);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Re2Pattern out_;
};

class GlobReader : PatternReader {
 public:
    explicit GlobReader(std::string_view text) : PatternReader(text) {}

    Re2Pattern read() {
        while (!at_end()) {
            const char c = text_[at_++];
            if (c == '*') {
                out_.text += ".*";
            } else if (c == '?') {
                out_.text += '.';
            } else if (c == '[') {
                read_set(at_ - 1);
            } else {
                append_byte(out_.text, c);
            }
        }
        return std::move(out_);
    }

 private:
    void read_set(std::size_t open) {
        out_.text += take('!') || take('^') ? "[^" : "[";
        for (bool first = true; first || !next_is(']'); first = false) {
            if (at_end()) refuse(msg::kUnclosedSet, open);
            read_range(out_.text, [&] { return text_[at_++]; });
        }
        ++at_;
        out_.text += ']';
    }
};

class EcmaScriptReader : PatternReader {
 public:
    explicit EcmaScriptReader(std::string_view text) : PatternReader(text) {}

    Re2Pattern read() {
        while (!at_end()) read_piece();
        if (!groups_.empty()) refuse(msg::kUnclosedGroup, groups_.back());
        return std::move(out_);
    }

 private:
    void read_piece() {
        const std::size_t begin = at_;
        switch (const char c = text_[at_++]) {
            case '(':
                open_group(begin);
                break;
            case ')':
                if (groups_.empty()) refuse(msg::kUnopenedGroup, begin);
                groups_.pop_back();
                append(")", true);
                break;
            case '|':
                if (groups_.empty()) out_.literal.clear();
                append("|", false);
                break;
            case '*':
            case '+':
            case '?':
                repeat({&c, 1}, begin);
                break;
            case '{':
                repeat(read_count(begin), begin);
                break;
            case '^':
            case '$':
                out_.text += c;
                repeatable_ = false;
                break;
            case '.':
                append("[^\\n\\r]", true);
                break;
            case '[':
                read_set(begin);
                break;
            case '\\':
                read_escape(begin);
                break;
            default:
                append_literal(c);
        }
    }

    void append(std::string_view piece, bool repeatable) {
        out_.text += piece;
        repeatable_ = repeatable;
        in_literal_ = false;
    }

    void append_literal(char c) {
        append_byte(out_.text, c);
        repeatable_ = true;
        if (in_literal_) out_.literal += c;
    }

    void open_group(std::size_t begin) {
        if (take('?') && !take(':')) {
            if (next_is('=') || next_is('!')) refuse(msg::kNoLookAhead, begin);
            refuse(msg::kGroupKind, begin);
        }
        groups_.push_back(begin);
        append("(?:", false);
    }

    void repeat(std::string_view sign, std::size_t begin) {
        if (!repeatable_) refuse(msg::kNothingToRepeat(std::string(1, sign.front())), begin);
        // What may be missing is in no literal.
        if (in_literal_ && sign != "+" && !out_.literal.empty()) out_.literal.pop_back();
        append(sign, false);
        // Lazy and greedy repetition match the same names.
        take('?');
    }

    std::size_t read_number() {
        const std::size_t begin = at_;
        std::size_t number = 0;
        for (; !at_end() && is_digit(text_[at_]); ++at_) {
            number = number * 10 + static_cast<std::size_t>(text_[at_] - '0');
            if (number > kMaxPatternRepetitions) refuse(msg::kCountTooLarge(kMaxPatternRepetitions), begin);
        }
        if (at_ == begin) refuse(msg::kCountWithoutNumber, begin - 1);
        return number;
    }

    /// {2} {2,} {2,5}
    std::string read_count(std::size_t open) {
        const std::size_t least = read_number();
        std::string count = fmt::format("{{{}", least);
        if (take(',')) {
            count += ',';
            if (!next_is('}')) {
                const std::size_t most = read_number();
                if (most < least) refuse(msg::kCountReversed, open);
                count += std::to_string(most);
            }
        }
        if (!take('}')) refuse(msg::kUnclosedCount, open);
        return count + '}';
    }

    /// The members of a set that \d, \w and the like stand for; empty for other letters.
    static std::string_view escaped_class(char c) {
        switch (c) {
            case 'd':
                return "\\d";
            case 'D':
                return "\\D";
            case 'w':
                return "\\w";
            case 'W':
                return "\\W";
            case 's':
                return kSpaces;
            case 'S':
                return kNoSpaces;
            default:
                return {};
        }
    }

    /// The byte that an escape stands for. It begins at `begin`; the next character follows the backslash.
    char read_escaped_byte(std::size_t begin) {
        const char c = text_[at_++];
        switch (c) {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'v':
                return '\v';
            case 'f':
                return '\f';
            case 'r':
                return '\r';
            case '0':
                if (at_end() || !is_digit(text_[at_])) return '\0';
                break;
            case 'x': {
                unsigned value = 0;
                const std::string_view digits = text_.substr(at_, 2);
                const auto [end, error] =
                    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
                if (error == std::errc() && end == digits.data() + 2) {
                    at_ += 2;
                    return static_cast<char>(value);
                }
                break;
            }
            default:
                if (is_digit(c)) refuse(msg::kNoBackReference, begin);
                if (!is_letter(c)) return c;
        }
        refuse(msg::kEscapeNotSupported(std::string{'\\', c}), begin);
    }

    void read_escape(std::size_t begin) {
        if (at_end()) refuse(msg::kTrailingBackslash, begin);
        const char c = text_[at_];
        if (c == 'b' || c == 'B') {
            ++at_;
            out_.text += {'\\', c};
            repeatable_ = false;
        } else if (const std::string_view set = escaped_class(c); !set.empty()) {
            ++at_;
            append(fmt::format("[{}]", set), true);
        } else {
            append_literal(read_escaped_byte(begin));
        }
    }

    void read_set(std::size_t open) {
        bool negated = take('^');
        std::string set;
        while (!take(']')) {
            if (at_end()) refuse(msg::kUnclosedSet, open);
            if (next_is('\\') && at_ + 1 < text_.size()) {
                const std::string_view part = escaped_class(text_[at_ + 1]);
                set += part;
                if (!part.empty()) {
                    at_ += 2;
                    continue;
                }
            } else if (next_is('[') && (next_is(':', 1) || next_is('.', 1) || next_is('=', 1))) {
                set += read_named_class();
                continue;
            }
            read_range(set, [&] { return read_set_byte(open); });
        }
        if (set.empty()) {
            // Nothing is in [], and everything in [^].
            set = kAllBytes;
            negated = !negated;
        }
        append(fmt::format("[{}{}]", negated ? "^" : "", set), true);
    }

    char read_set_byte(std::size_t open) {
        const std::size_t begin = at_;
        if (!take('\\')) return text_[at_++];
        if (at_end()) refuse(msg::kUnclosedSet, open);
        if (take('b')) return '\b';
        return read_escaped_byte(begin);
    }

    /// [:alpha:]
    std::string_view read_named_class() {
        const std::size_t end = text_.find(":]", at_ + 2);
        if (end == std::string_view::npos || !next_is(':', 1)) refuse(msg::kNamedClass, at_);
        const std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
        if (std::ranges::find(kClassNames, name) == kClassNames.end()) refuse(msg::kNamedClass, at_);
        const std::string_view whole = text_.substr(at_, end + 2 - at_);
        at_ = end + 2;
        return whole;
    }

    std::vector<std::size_t> groups_;  ///< where the open ones begin
    bool repeatable_ = false;          ///< the last piece may be followed by * + ? {
    bool in_literal_ = true;           ///< only text so far
};

}  // namespace

Re2Pattern re2_of_glob(std::string_view text) {
    return GlobReader(text).read();
}

Re2Pattern re2_of_ecma_script(std::string_view text) {
    return EcmaScriptReader(text).read();
}

}  // namespace splitscope
