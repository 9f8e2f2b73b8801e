// SPDX-License-Identifier: MIT
#include "engine/formats/json_pieces.hpp"

#include <iterator>

#include <nlohmann/json.hpp>

#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

[[noreturn]] void refuse(std::size_t at) {
    throw Error(ErrorKind::bad_file, msg::kNotJson, msg::kByte(at + 1), msg::kCheckTextThere);
}

/// Some milliseconds of work.

/// Scans a text of at most a gigabyte from start to end.
class Scanner {
 public:
    Scanner(std::string_view text, const JobContext& job) : text_(text), job_(job) {}

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
        refuse(text_.size());
    }

    /// Behind the value that begins at `at`. Brackets are only counted: what is between them is checked
    /// later.
    std::size_t skip_value(std::size_t at) {
        std::size_t depth = 0;
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
                ++depth;
            } else if (c == '}' || c == ']') {
                if (depth == 0) return i;
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

    std::string_view text_;
    const JobContext& job_;
    std::size_t next_check_ = kBytesBetweenChecks;
};

/// A character of such a text, for nlohmann::json, which goes through it in its own way.
class WatchedCharacter {
 public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    WatchedCharacter(std::string_view rest, const JobContext& job) : rest_(rest), job_(&job) {}
    char operator*() const { return rest_.front(); }
    WatchedCharacter& operator++() {
        if (rest_.size() % kBytesBetweenChecks == 0) job_->check();
        rest_.remove_prefix(1);
        return *this;
    }
    /// Of iterators over the same text.
    bool operator==(const WatchedCharacter& other) const { return rest_.size() == other.rest_.size(); }

 private:
    std::string_view rest_;
    const JobContext* job_;
};

std::string_view inside(const JsonPiece& array) {
    return array.text.substr(1, array.text.size() - 2);
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view document, const JobContext& job) {
    std::vector<JsonMember> members;
    Scanner scan(document, job);
    std::size_t at = scan.skip_blanks(0);
    if (at == document.size() || document[at] != '{') {
        throw Error(ErrorKind::bad_file, msg::kExpectedObject, "/", msg::kWriteObject);
    }
    at = scan.skip_blanks(at + 1);
    bool more = at < document.size() && document[at] != '}';
    while (more) {
        if (members.size() == kMaxJsonMembers || at == document.size() || document[at] != '"') refuse(at);
        const std::size_t end_of_key = scan.skip_string(at);
        const auto key = nlohmann::json::parse(document.substr(at, end_of_key - at), nullptr, false);
        if (!key.is_string()) refuse(at);
        at = scan.skip_blanks(end_of_key);
        if (at == document.size() || document[at] != ':') refuse(at);
        at = scan.skip_blanks(at + 1);
        const std::size_t end = scan.skip_value(at);
        if (end == at) refuse(at);
        JsonPiece value{document.substr(at, end - at), at};
        if (value.is_array() && !value.text.ends_with(']')) refuse(end);
        members.push_back({key.get<std::string>(), value});
        at = scan.skip_blanks(end);
        more = at < document.size() && document[at] == ',';
        if (more) at = scan.skip_blanks(at + 1);
    }
    if (at == document.size() || document[at] != '}') refuse(at);
    if (const std::size_t rest = scan.skip_blanks(at + 1); rest != document.size()) refuse(rest);
    return members;
}

bool is_json(const JsonPiece& value, const JobContext& job) {
    return nlohmann::json::accept(WatchedCharacter(value.text, job), WatchedCharacter({}, job));
}

std::size_t count_elements(const JsonPiece& array, const JobContext& job) {
    const std::string_view text = inside(array);
    Scanner scan(text, job);
    std::size_t at = scan.skip_blanks(0);
    if (at == text.size()) return 0;
    std::size_t count = 1;
    while (at < text.size()) {
        at = scan.skip_blanks(scan.skip_value(at));
        if (at == text.size()) break;
        if (text[at] != ',') refuse(array.at + 1 + at);
        ++count;
        ++at;
        at = scan.skip_blanks(at);
    }
    return count;
}

void for_each_run(const JsonPiece& array, std::size_t most, const JobContext& job,
                  const std::function<void(const JsonPiece& run, std::size_t first)>& f) {
    const std::string_view text = inside(array);
    Scanner scan(text, job);
    if (scan.skip_blanks(0) == text.size()) return;
    std::size_t begin = 0;
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t at = 0;
    while (true) {
        at = scan.skip_blanks(scan.skip_value(scan.skip_blanks(at)));
        ++count;
        const bool last = at == text.size();
        if (!last && text[at] != ',') refuse(array.at + 1 + at);
        if (last || count == most) {
            const std::string_view run = text.substr(begin, at - begin);
            // Nothing between two commas, or behind the last one.
            if (run.find_first_not_of(kBlanks) == std::string_view::npos) refuse(array.at + 1 + at);
            f({run, array.at + 1 + begin}, first);
            first += count;
            count = 0;
            begin = at + 1;
        }
        if (last) return;
        ++at;
    }
}

}  // namespace splitscope
