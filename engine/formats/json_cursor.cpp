// SPDX-License-Identifier: MIT
#include "engine/formats/json_cursor.hpp"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

#include "engine/formats/json_names.hpp"
#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

std::string shortened(std::string text) {
    if (text.size() <= kMaxQuoteBytes) return text;
    return std::string(cut_text(text, kMaxQuoteBytes)) + "…";
}

Message shortened(const Message& message) {
    if (message.empty()) return message;
    std::vector<Argument> arguments = message.arguments();
    for (Argument& argument : arguments) {
        if (auto* name = std::get_if<Name>(&argument)) name->text = shortened(std::move(name->text));
    }
    return {*message.text(), std::move(arguments)};
}

/// Depth is checked on the text, because a parsed tree that deep would already have cost its memory.
void require_shallow(std::string_view text, std::string_view document, std::size_t at) {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxJsonDepth) {
                throw Error(ErrorKind::bad_file, msg::kNestedTooDeeply(kMaxJsonDepth),
                            line_and_column(document, at + i), msg::kFollowFormat);
            }
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
}

/// Bytes the tree of a text would take, roughly: a value is 16 bytes in a vector that grows, a member a node
/// of a map, a text an allocation of its own.
std::size_t tree_bytes(std::string_view text) {
    constexpr std::size_t kValue = 24;
    constexpr std::size_t kMember = 96;
    constexpr std::size_t kText = 28;  // per quotation mark
    std::size_t bytes = text.size();
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            in_string = !in_string;
            bytes += kText;
        } else if (in_string) {
            if (c == '\\') ++i;
        } else if (c == ',' || c == '[' || c == '{') {
            bytes += kValue;
        } else if (c == ':') {
            bytes += kMember;
        }
    }
    return bytes;
}

JsonTree parse(std::string_view text, std::string_view document, std::size_t at) {
    require_shallow(text, document, at);
    return JsonTree::parsed(text, document, at);
}

}  // namespace

JsonTree parse_small_json_document(const JsonPiece& piece, MemoryBound bound) {
    if (!bound.is_lifted() && tree_bytes(piece.text) > bound.of_file(piece.text.size()))
        throw beyond_memory_bound(msg::kTreeTooLarge, {});
    if (piece.text.size() > kMaxJsonBytes) {
        throw Error(ErrorKind::bad_file, msg::kDocumentTooLarge(piece.text.size(), kMaxJsonBytes), {},
                    msg::kUseSmallerDocument);
    }
    return parse(piece.text, piece.document, piece.at());
}

JsonTree parse_small_json_document(std::string_view text, MemoryBound bound) {
    return parse_small_json_document(JsonPiece{text, text}, bound);
}

JsonTree parse_json_run(const JsonPiece& run, MemoryBound bound) {
    if (!bound.is_lifted() && tree_bytes(run.text) > bound.scaled(kMaxJsonTreeBytes))
        throw beyond_memory_bound(msg::kElementTooLarge, line_and_column(run.document, run.at()));
    std::string text;
    text.reserve(run.text.size() + 2);
    text.append(1, '[').append(run.text).append(1, ']');
    // The bracket stands for the one, or the comma, before the run.
    return parse(text, run.document, run.at() - 1);
}

JsonTree parse_json_document(std::string_view text) {
    return parse_small_json_document(text, MemoryBound::lifted);
}

std::string JsonCursor::pointer() const {
    if (parent_ == nullptr) return std::string(root_);
    std::string path = parent_->pointer() + '/';
    if (key_.data() == nullptr) return path + std::to_string(index_);
    for (const char c : key_) {
        if (c == '~') {
            path += "~0";
        } else if (c == '/') {
            path += "~1";
        } else {
            path += c;
        }
    }
    return path;
}

void JsonCursor::refuse(Message problem, Message remedy) const {
    const std::string where = pointer();
    throw Error(ErrorKind::bad_file, shortened(problem), where.empty() ? "/" : shortened(where),
                std::move(remedy));
}

void JsonCursor::require_object() const {
    if (!value_->is_object()) refuse(msg::kExpectedObject, msg::kWriteObject);
}

bool JsonCursor::is_null() const {
    return value_->is_null();
}

bool JsonCursor::has(std::string_view key) const {
    require_object();
    return value_->contains(key);
}

JsonCursor JsonCursor::at(std::string_view key) const {
    require_object();
    const auto found = value_->find(key);
    if (found == value_->end()) refuse(msg::kMemberMissing(key), msg::kAddMember);
    return {*found, this, key, 0};
}

void JsonCursor::require_members(std::initializer_list<std::string_view> known) const {
    require_object();
    for (auto member = value_->begin(); member != value_->end(); ++member) {
        const std::string& key = member.key();
        if (std::ranges::find(known, std::string_view(key)) != known.end()) continue;
        const std::vector<std::string> names(known.begin(), known.end());
        at(std::string_view(key))
            .refuse(msg::kUnknownMember(key), did_you_mean(names, key, msg::kRemoveMember));
    }
}

std::size_t JsonCursor::size(std::size_t limit) const {
    if (!value_->is_array()) refuse(msg::kExpectedArray, msg::kWriteArray);
    if (value_->size() > limit) {
        refuse(msg::kTooManyInList(value_->size(), limit), msg::kUseFewerElements);
    }
    return value_->size();
}

JsonCursor JsonCursor::at(std::size_t index) const {
    return {(*value_)[index], this, {}, first_ + index};
}

std::int64_t JsonCursor::integer() const {
    if (value_->is_number_unsigned()) {
        const auto number = value_->get<std::uint64_t>();
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return static_cast<std::int64_t>(number);
        }
    } else if (value_->is_number_integer()) {
        return value_->get<std::int64_t>();
    }
    refuse(msg::kExpectedInteger, msg::kWriteInteger);
}

std::int64_t JsonCursor::integer_between(std::int64_t low, std::int64_t high) const {
    const std::int64_t number = integer();
    if (number < low || number > high) refuse(msg::kNotBetween(number, low, high), msg::kUseValueInRange);
    return number;
}

double JsonCursor::number_between(double low, double high) const {
    if (!value_->is_number()) refuse(msg::kExpectedNumber, msg::kWriteNumber);
    const auto number = value_->get<double>();
    if (!(number >= low && number <= high))
        refuse(msg::kOutOfRange(value_->dump()), msg::kUseRealRange(low, high));
    return number;
}

bool JsonCursor::boolean() const {
    if (!value_->is_boolean()) refuse(msg::kExpectedBoolean, msg::kWriteBoolean);
    return value_->get<bool>();
}

const std::string& JsonCursor::text() const {
    if (!value_->is_string()) refuse(msg::kExpectedString, msg::kWriteString);
    return value_->get_ref<const std::string&>();
}

std::vector<std::string> JsonCursor::texts(std::size_t limit) const {
    std::vector<std::string> all(size(limit));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = at(i).text();
    return all;
}

void JsonCursor::for_each_member(
    const std::function<void(const std::string& key, const JsonCursor& value)>& f) const {
    require_object();
    for (auto it = value_->begin(); it != value_->end(); ++it) f(it.key(), at(std::string_view(it.key())));
}

void require_format(const JsonCursor& document, std::string_view format, std::int64_t version) {
    const JsonCursor name = document.at("format");
    if (name.text() != format) {
        name.refuse(msg::kOtherFormat(name.text(), format), msg::kOpenOtherFile);
    }
    const JsonCursor number = document.at("version");
    if (number.integer() != version) {
        number.refuse(msg::kUnknownVersion(number.integer(), version), msg::kConvertOrUpdate);
    }
}

}  // namespace splitscope
