// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/formats/json_place.hpp"

namespace splitscope {

/// A parsed JSON document. Its destructor allocates nothing; the library's own first collects the children
/// in a list, and terminates the program if that allocation fails.
class JsonTree {
 public:
    /// Parses exactly one document, in time and memory proportional to the text. The caller checks the depth.
    /// Throws Error(bad_file) with line and column, and what was expected there.
    static JsonTree parsed(std::string_view text) { return parsed(text, text, 0); }
    /// As above for a text that stands for a part of a document, from the byte `at`.
    static JsonTree parsed(std::string_view text, std::string_view document, std::size_t at);

    JsonTree();
    JsonTree(JsonTree&& other) noexcept;
    JsonTree& operator=(JsonTree&& other) noexcept;
    JsonTree(const JsonTree&) = delete;
    JsonTree& operator=(const JsonTree&) = delete;
    ~JsonTree();

    /// Must not be called after the tree was moved from.
    const nlohmann::json& root() const { return *root_; }

    /// Adds a member to the root, which must be an object or null.
    void put(const std::string& key, JsonTree value);

 private:
    std::unique_ptr<nlohmann::json> root_;  ///< by pointer, so that this header does not include the library
};

}  // namespace splitscope
