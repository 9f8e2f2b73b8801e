// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace splitscope {

/// Stores unique texts. Views are valid as long as the pool.
class TextPool {
 public:
    TextPool() = default;
    TextPool(const TextPool&) = delete;
    TextPool& operator=(const TextPool&) = delete;

    std::string_view keep(std::string_view text) {
        const auto found = known_.find(text);
        if (found != known_.end()) return *found;
        const std::string_view kept = texts_.emplace_back(text);
        known_.insert(kept);
        bytes_ += bytes_of(kept);
        return kept;
    }

    /// Approximate memory of all texts, and of those added since settle().
    std::size_t bytes() const { return bytes_; }
    std::size_t new_bytes() const { return bytes_ - settled_bytes_; }

    /// Makes all texts so far permanent.
    void settle() {
        settled_ = texts_.size();
        settled_bytes_ = bytes_;
    }
    /// Removes texts added since settle().
    void forget_new() {
        while (texts_.size() > settled_) {
            known_.erase(texts_.back());
            texts_.pop_back();
        }
        bytes_ = settled_bytes_;
    }

 private:
    static std::size_t bytes_of(std::string_view text) {
        constexpr std::size_t kEntry = 64;  // a set node, its share of the buckets, a heap block
        return sizeof(std::string) + kEntry + text.size();
    }

    std::size_t bytes_ = 0;
    std::size_t settled_ = 0;  ///< texts
    std::size_t settled_bytes_ = 0;
    std::deque<std::string> texts_;
    std::unordered_set<std::string_view> known_;
};

}  // namespace splitscope
