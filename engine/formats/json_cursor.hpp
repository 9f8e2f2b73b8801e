// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/formats/json_tree.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Parses untrusted JSON. Documents that are too large or nested too deeply are refused before
/// anything is allocated. Throws Error(bad_file) with line and column of the first mistake.
JsonTree parse_json_document(std::string_view text);

/// As above, for documents that must also stay within a memory bound: throws Error(memory_bound) if the
/// tree would be larger than the bound for the size of the text.
JsonTree parse_small_json_document(std::string_view text, MemoryBound bound = MemoryBound::enforced);
JsonTree parse_small_json_document(const JsonPiece& piece, MemoryBound bound);

/// Parses a run of array elements (json_pieces.hpp) as an array. Also throws Error(memory_bound) for elements
/// of many megabytes.
JsonTree parse_json_run(const JsonPiece& run, MemoryBound bound);

/// A value of a JSON document with its JSON pointer, which errors contain. Refers
/// to its parents, which must outlive it. All accessors throw Error(bad_file).
class JsonCursor {
 public:
    explicit JsonCursor(const JsonTree& tree) : value_(&tree.root()) {}
    /// A part of a document; pointers are relative to it.
    explicit JsonCursor(const nlohmann::json& part) : value_(&part) {}
    /// A run of the array at `pointer` in the document, whose first element has index `first`.
    JsonCursor(const JsonTree& run, std::string_view pointer, std::size_t first)
        : value_(&run.root()), root_(pointer), first_(first) {}

    const nlohmann::json& value() const { return *value_; }
    bool is_null() const;
    std::string pointer() const;
    [[noreturn]] void refuse(Message problem, Message remedy) const;

    /// Members of an object.
    bool has(std::string_view key) const;
    JsonCursor at(std::string_view key) const;
    /// Refuses members with other names.
    void require_members(std::initializer_list<std::string_view> known) const;

    /// Elements of an array of at most `limit` elements.
    std::size_t size(std::size_t limit = kMaxJsonElements) const;
    JsonCursor at(std::size_t index) const;

    std::int64_t integer() const;
    std::int64_t integer_between(std::int64_t low, std::int64_t high) const;
    double number_between(double low, double high) const;
    bool boolean() const;
    const std::string& text() const;
    /// The elements of an array of at most `limit` strings.
    std::vector<std::string> texts(std::size_t limit = kMaxJsonElements) const;

    /// Calls f(key, value) for each member of an object.
    void for_each_member(const std::function<void(const std::string& key, const JsonCursor& value)>& f) const;

 private:
    JsonCursor(const nlohmann::json& value, const JsonCursor* parent, std::string_view key, std::size_t index)
        : value_(&value), parent_(parent), key_(key), index_(index) {}
    void require_object() const;

    const nlohmann::json* value_;
    const JsonCursor* parent_ = nullptr;
    std::string_view key_;
    std::size_t index_ = 0;
    std::string_view root_;  ///< pointer of a root; empty for a document
    std::size_t first_ = 0;  ///< index of a root's first element
};

/// Checks the members `format` and `version`, which begin every document of Splitscope.
void require_format(const JsonCursor& document, std::string_view format, std::int64_t version);

}  // namespace splitscope
