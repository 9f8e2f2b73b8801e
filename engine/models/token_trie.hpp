// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/formats/gguf.hpp"
#include "engine/formats/gguf_place.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/memory_bound.hpp"

namespace splitscope {

/// Prefix tree of token texts. Memory and time are proportional to the bytes of the texts.
class TokenTrie {
 public:
    explicit TokenTrie(const GgufFile& file)
        : path_(file.path()),
          most_(std::max(file.memory_bound().scaled(kMaxFreeTrieNodes),
                         file.mapped_bytes().size() / kFileBytesPerNode)) {}

    /// Replaces the token of an equal text. Throws Error(memory_bound) for texts much longer than any
    /// model's.
    void insert(std::string_view text, std::int32_t token) {
        std::uint32_t node = 0;
        for (const char byte : text) {
            const auto [it, is_new] =
                children_.try_emplace(key(node, byte), static_cast<std::uint32_t>(tokens_.size()));
            if (is_new) {
                if (tokens_.size() >= most_)
                    throw beyond_memory_bound(msg::kTokensTooLong,
                                              place_of_key(path_, "tokenizer.ggml.tokens"));
                tokens_.emplace_back();
            }
            node = it->second;
        }
        tokens_[node] = token;
    }

    /// Calls `visit(length, token)` for each token that `text` begins with, shortest first.
    template <class Visit>
    void for_each_beginning(std::string_view text, Visit&& visit) const {
        std::uint32_t node = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto found = children_.find(key(node, text[i]));
            if (found == children_.end()) return;
            node = found->second;
            if (tokens_[node]) visit(i + 1, *tokens_[node]);
        }
    }

 private:
    static constexpr std::uint64_t kFileBytesPerNode = 16;

    static std::uint64_t key(std::uint32_t node, char byte) {
        return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
    }

    std::filesystem::path path_;
    std::uint64_t most_;  ///< nodes
    std::vector<std::optional<std::int32_t>> tokens_ = {
        std::nullopt};  ///< of each node; the first is the root
    std::unordered_map<std::uint64_t, std::uint32_t> children_;
};

}  // namespace splitscope
