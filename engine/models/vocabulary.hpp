// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/formats/gguf.hpp"

namespace splitscope {

/// Token types; values as in tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
    undefined = 0,
    normal = 1,
    unknown = 2,
    control = 3,
    user_defined = 4,
    unused = 5,
    byte = 6
};

struct Token {
    std::string text;
    float score = 0.0F;
    TokenKind kind = TokenKind::normal;
    bool lstrip = false;  ///< strips spaces before it
    bool rstrip = false;  ///< strips spaces after it
};

/// Default ids of a kind of vocabulary.
struct DefaultIds {
    std::optional<std::int32_t> begin{};
    std::optional<std::int32_t> end{};
    std::optional<std::int32_t> unknown{};
};

/// The tokens of a model file and its special ids. The id 4294967295 means none.
class Vocabulary {
 public:
    /// Throws Error(bad_file) if the file has no usable token list.
    explicit Vocabulary(const GgufFile& file, const DefaultIds& defaults = {});

    const std::vector<Token>& tokens() const { return tokens_; }
    const Token& operator[](std::int32_t id) const { return tokens_[static_cast<std::size_t>(id)]; }
    bool contains(std::int32_t id) const { return id >= 0 && static_cast<std::size_t>(id) < tokens_.size(); }
    std::optional<std::int32_t> find(std::string_view text) const;

    std::optional<std::int32_t> begin() const { return begin_; }
    std::optional<std::int32_t> end() const { return end_; }
    std::optional<std::int32_t> unknown() const { return unknown_; }
    /// End of text or of a turn.
    bool is_end(std::int32_t id) const;

    /// Control, user-defined and unknown tokens, longest text first.
    const std::vector<std::int32_t>& special_tokens() const { return special_; }

 private:
    void read_ids(const GgufFile& file, const DefaultIds& defaults);
    void know_by_text();
    void know_by_model(const GgufFile& file);
    void list_special_tokens();

    std::vector<Token> tokens_;
    std::unordered_map<std::string_view, std::int32_t> by_text_;
    std::vector<std::int32_t> special_;
    std::optional<std::int32_t> begin_;
    std::optional<std::int32_t> end_;
    std::optional<std::int32_t> unknown_;
    std::vector<std::int32_t> ends_;
};

/// The array of a key, or null if there is none of this element type.
template <class T>
const std::vector<T>* array_of(const GgufFile& file, std::string_view key) {
    const GgufValue* value = file.find(key);
    if (value == nullptr) return nullptr;
    const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(value);
    return array != nullptr ? std::get_if<std::vector<T>>(&(*array)->values) : nullptr;
}

}  // namespace splitscope
