// SPDX-License-Identifier: MIT
#include "engine/formats/json_pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// `at` counts from the start of the piece.
[[noreturn]] void refuse(const JsonPiece& piece, std::size_t at, Message problem) {
    throw Error(ErrorKind::bad_file, std::move(problem), line_and_column(piece.document, piece.at() + at),
                msg::kCheckTextThere);
}

/// Scans a text of at most a gigabyte from start to end.
class Scanner {
 public:
    Scanner(const JsonPiece& piece, const JobContext& job) : piece_(piece), text_(piece.text), job_(job) {}

    std::size_t skip_blanks(std::size_t at) {
        while (at < text_.size() && kBlanks.find(text_[at]) != std::string_view::npos) check_at(++at);
        return at;
    }

    /// Behind the string that begins at `at`.
    std::size_t skip_string(std::size_t at) {
        for (std::size_t i = at + 1; i < text_.size(); ++i) {
            check_at(i);
            if (text_[i] == '\\') {
                ++i;
            } else if (text_[i] == '"') {
                return i + 1;
            }
        }
        refuse(piece_, text_.size(), msg::kNotJson);
    }

    /// Behind the value that begins at `at`. Only brackets are checked; what is between them, later.
    std::size_t skip_value(std::size_t at) {
        constexpr std::size_t kBits = 64;
        std::uint64_t braces = 0;  // a bit for each open bracket, of the innermost ones
        std::size_t depth = 0;
        std::size_t deepest = 0;
        std::size_t i = at;
        while (i < text_.size()) {
            check_at(i);
            const char c = text_[i];
            if (c == '"') {
                i = skip_string(i);
                if (depth == 0) return i;
                continue;
            }
            if (c == '{' || c == '[') {
                deepest = std::max(deepest, ++depth);
                braces = braces << 1 | (c == '{' ? 1U : 0U);
            } else if (c == '}' || c == ']') {
                if (depth == 0) return i;
                const bool wants_brace = (braces & 1U) != 0;
                if (deepest <= kBits && wants_brace != (c == '}')) {
                    refuse(piece_, i,
                           wants_brace ? msg::kExpectedCommaOrBrace : msg::kExpectedCommaOrBracket);
                }
                braces >>= 1;
                if (--depth == 0) return i + 1;
            } else if (depth == 0 && (c == ',' || kBlanks.find(c) != std::string_view::npos)) {
                return i;
            }
            ++i;
        }
        return i;
    }

 private:
    void check_at(std::size_t at) {
        if (at < next_check_) return;
        job_.check();
        next_check_ = at + kBytesBetweenChecks;
    }

    const JsonPiece& piece_;
    std::string_view text_;
    const JobContext& job_;
    std::size_t next_check_ = kBytesBetweenChecks;
};

JsonPiece inside(const JsonPiece& array) {
    return {array.text.substr(1, array.text.size() - 2), array.document};
}

}  // namespace

std::vector<JsonMember> json_members(const JsonPiece& object, const JobContext& job) {
    std::vector<JsonMember> members;
    const std::string_view text = object.text;
    Scanner scan(object, job);
    const auto is_at = [&](std::size_t at, char c) { return at < text.size() && text[at] == c; };
    std::size_t at = scan.skip_blanks(0);
    if (!is_at(at, '{')) throw Error(ErrorKind::bad_file, msg::kExpectedObject, "/", msg::kWriteObject);
    at = scan.skip_blanks(at + 1);
    bool more = at < text.size() && text[at] != '}';
    while (more) {
        if (members.size() == kMaxJsonMembers) refuse(object, at, msg::kNotJson);
        if (!is_at(at, '"')) refuse(object, at, msg::kExpectedKey);
        const std::size_t end_of_key = scan.skip_string(at);
        const auto key = nlohmann::json::parse(text.substr(at, end_of_key - at), nullptr, false);
        if (!key.is_string()) refuse(object, at, msg::kNotJson);
        at = scan.skip_blanks(end_of_key);
        if (!is_at(at, ':')) refuse(object, at, msg::kExpectedColon);
        at = scan.skip_blanks(at + 1);
        const std::size_t end = scan.skip_value(at);
        if (end == at) refuse(object, at, msg::kExpectedValue);
        JsonPiece value{text.substr(at, end - at), object.document};
        if (value.is_array() && !value.text.ends_with(']')) refuse(object, end, msg::kExpectedCommaOrBracket);
        members.push_back({key.get<std::string>(), value});
        at = scan.skip_blanks(end);
        more = is_at(at, ',');
        if (more) at = scan.skip_blanks(at + 1);
    }
    if (!is_at(at, '}')) refuse(object, at, msg::kExpectedCommaOrBrace);
    if (const std::size_t rest = scan.skip_blanks(at + 1); rest != text.size())
        refuse(object, rest, msg::kExpectedEnd);
    return members;
}

std::size_t count_elements(const JsonPiece& array, const JobContext& job) {
    const JsonPiece list = inside(array);
    const std::string_view text = list.text;
    Scanner scan(list, job);
    std::size_t at = scan.skip_blanks(0);
    if (at == text.size()) return 0;
    std::size_t count = 1;
    while (at < text.size()) {
        at = scan.skip_blanks(scan.skip_value(at));
        if (at == text.size()) break;
        if (text[at] != ',') refuse(list, at, msg::kExpectedCommaOrBracket);
        ++count;
        ++at;
        at = scan.skip_blanks(at);
    }
    return count;
}

void for_each_run(const JsonPiece& array, std::size_t most, const JobContext& job,
                  const std::function<void(const JsonPiece& run, std::size_t first)>& f) {
    const JsonPiece list = inside(array);
    const std::string_view text = list.text;
    Scanner scan(list, job);
    if (scan.skip_blanks(0) == text.size()) return;
    std::size_t begin = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t at = 0;
    while (true) {
        at = scan.skip_blanks(scan.skip_value(scan.skip_blanks(at)));
        ++count;
        const bool last = at == text.size();
        if (!last && text[at] != ',') refuse(list, at, msg::kExpectedCommaOrBracket);
        if (last || count == most) {
            const std::string_view run = text.substr(begin, at - begin);
            // Nothing between two commas, or behind the last one.
            if (run.find_first_not_of(kBlanks) == std::string_view::npos)
                refuse(list, at, msg::kExpectedValue);
            f({run, list.document}, first);
            first += count;
            count = 0;
            begin = at + 1;
        }
        if (last) return;
        ++at;
    }
}

}  // namespace splitscope
