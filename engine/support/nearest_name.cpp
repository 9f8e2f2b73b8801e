// SPDX-License-Identifier: MIT
#include "engine/support/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace splitscope {
namespace {

constexpr std::size_t kMaxLength = 40;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1, i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = last[j] + (a[i] == b[j] ? 0 : 1);
            row[j + 1] = std::min({replaced, last[j + 1] + 1, row[j] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
        before = std::move(last);
        last = std::move(row);
    }
    return last.back();
}

std::string nearest_name(const std::vector<std::string>& known, std::string_view word) {
    if (word.size() > kMaxLength) return {};
    const auto nearest = std::ranges::min_element(
        known, {}, [&](const std::string& name) { return edit_distance(word, name); });
    if (nearest == known.end()) return {};
    return edit_distance(word, *nearest) <= std::max<std::size_t>(2, word.size() / 4) ? *nearest
                                                                                      : std::string();
}

std::vector<std::string> most_similar_names(const std::set<std::string>& known, std::string_view word,
                                            std::size_t count) {
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& name : known) near.emplace_back(edit_distance(word, name), name);
    std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
    near.resize(std::min(near.size(), count));
    std::vector<std::string> names;
    for (auto& [distance, name] : near) names.push_back(std::move(name));
    return names;
}

}  // namespace splitscope
