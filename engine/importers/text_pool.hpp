// SPDX-License-Identifier: MIT
#pragma once

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
        return kept;
    }

 private:
    std::deque<std::string> texts_;
    std::unordered_set<std::string_view> known_;
};

}  // namespace splitscope
