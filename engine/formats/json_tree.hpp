// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace splitscope {

/// A parsed JSON document. It goes away without asking for memory: the library's own destructor first makes a
/// list of the children, and where there is no memory for that list the program ends.
class JsonTree {
 public:
    /// Of one document and nothing behind it, in time and memory proportional to the text; its depth is for
    /// the caller to check. Throws Error(bad_file) naming the byte; the text begins at `at` for that.
    static JsonTree parsed(std::string_view text, std::size_t at = 0);

    JsonTree();
    JsonTree(JsonTree&& other) noexcept;
    JsonTree& operator=(JsonTree&& other) noexcept;
    JsonTree(const JsonTree&) = delete;
    JsonTree& operator=(const JsonTree&) = delete;
    ~JsonTree();

    /// Of a tree that was not moved away.
    const nlohmann::json& root() const { return *root_; }

    /// A member of the root, which is an object or empty.
    void put(const std::string& key, JsonTree value);

 private:
    std::unique_ptr<nlohmann::json> root_;  ///< here its type is only declared: the library is large
};

}  // namespace splitscope
