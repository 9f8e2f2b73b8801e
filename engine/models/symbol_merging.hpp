// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>
#include <vector>

namespace splitscope {

/// Merges neighbouring symbols of a text, starting with its characters, until no pair can be merged.
/// `Priority` returns the priority of a pair, higher first, or empty if it does not merge; on ties the
/// leftmost pair wins. O(n log n).
template <class Priority>
class SymbolMerging {
 public:
    SymbolMerging(std::string_view text, Priority priority) : priority_(std::move(priority)) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = std::min(announced_length(text[at]), text.size() - at);
            const auto here = static_cast<int>(symbols_.size());
            symbols_.push_back({text.substr(at, length), here - 1, here + 1});
            at += length;
        }
        if (!symbols_.empty()) symbols_.back().next = -1;
        for (int i = 1; i < static_cast<int>(symbols_.size()); ++i) offer(i - 1, i);
        merge_all();
    }

    template <class Visit>
    void for_each(Visit&& visit) const {
        for (int i = symbols_.empty() ? -1 : 0; i >= 0; i = symbols_[static_cast<std::size_t>(i)].next) {
            visit(symbols_[static_cast<std::size_t>(i)].text);
        }
    }

 private:
    struct Symbol {
        std::string_view text;
        int previous;
        int next;
    };
    struct Pair {
        int left;
        int right;
        float priority;
        std::size_t size;
        friend bool operator<(const Pair& a, const Pair& b) {
            return a.priority < b.priority || (a.priority == b.priority && a.left > b.left);
        }
    };

    /// Length of the UTF-8 sequence that a lead byte starts; 1 for other bytes.
    static std::size_t announced_length(char lead) {
        constexpr std::array<std::uint8_t, 16> by_high_nibble = {1, 1, 1, 1, 1, 1, 1, 1,
                                                                 1, 1, 1, 1, 2, 2, 3, 4};
        return by_high_nibble[static_cast<unsigned char>(lead) >> 4];
    }

    Symbol& at(int i) { return symbols_[static_cast<std::size_t>(i)]; }

    void offer(int left, int right) {
        if (left < 0 || right < 0) return;
        const std::string_view a = at(left).text;
        const std::string_view b = at(right).text;
        if (const std::optional<float> priority = priority_(a, b))
            pairs_.push({left, right, *priority, a.size() + b.size()});
    }

    void merge_all() {
        while (!pairs_.empty()) {
            const Pair pair = pairs_.top();
            pairs_.pop();
            Symbol& left = at(pair.left);
            Symbol& right = at(pair.right);
            // One side was consumed by an earlier merge.
            if (left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size)
                continue;
            left.text = {left.text.data(), pair.size};
            right.text = {};
            left.next = right.next;
            if (right.next >= 0) at(right.next).previous = pair.left;
            offer(left.previous, pair.left);
            offer(pair.left, left.next);
        }
    }

    Priority priority_;
    std::vector<Symbol> symbols_;
    std::priority_queue<Pair> pairs_;
};

}  // namespace splitscope
