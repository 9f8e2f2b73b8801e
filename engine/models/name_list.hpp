// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <vector>

namespace splitscope {

/// Names in lists, each separated by spaces: lists shared by several owners, and names of one.
class NameList {
 public:
    static constexpr std::size_t kMaxParts = 8;

    constexpr NameList() = default;
    template <std::convertible_to<std::string_view>... Parts>
    constexpr NameList(const Parts&... parts) : parts_{parts...} {}  // NOLINT: implicit from text

    /// The names one by one.
    std::vector<std::string_view> split() const {
        std::vector<std::string_view> out;
        each([&out](std::string_view name) {
            out.push_back(name);
            return false;
        });
        return out;
    }
    bool empty() const {
        return !each([](std::string_view) { return true; });
    }
    bool contains(std::string_view name) const {
        return each([name](std::string_view other) { return other == name; });
    }

 private:
    /// Whether `found` is true for a name; then it is not called for the others.
    template <class Found>
    bool each(Found found) const {
        for (std::string_view part : parts_) {
            while (!part.empty()) {
                const std::size_t end = std::min(part.find(' '), part.size());
                if (found(part.substr(0, end))) return true;
                part.remove_prefix(std::min(end + 1, part.size()));
            }
        }
        return false;
    }

    std::array<std::string_view, kMaxParts> parts_{};
};

/// Whether the names include this one.
inline bool lists(const NameList& names, std::string_view name) {
    return names.contains(name);
}

}  // namespace splitscope
