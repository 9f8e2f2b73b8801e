// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace splitscope {

/// Keeps one copy of each text. The views it hands out live as long as the pool.
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

    std::size_t size() const { return texts_.size(); }
    /// Memory that the texts take, about.
    std::size_t bytes() const { return bytes_; }

    /// Forgets all but the first `count` texts.
    void cut(std::size_t count) {
        while (texts_.size() > count) {
            bytes_ -= bytes_of(texts_.back());
            known_.erase(texts_.back());
            texts_.pop_back();
        }
    }

 private:
    static std::size_t bytes_of(std::string_view text) {
        constexpr std::size_t kEntry = 64;  // a node of the set, its part of the buckets, a block of the heap
        return sizeof(std::string) + kEntry + text.size();
    }

    std::size_t bytes_ = 0;
    std::deque<std::string> texts_;
    std::unordered_set<std::string_view> known_;
};

}  // namespace splitscope
