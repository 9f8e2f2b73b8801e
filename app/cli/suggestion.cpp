// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/suggestion.hpp"

#include <algorithm>
#include <numeric>

#include <CLI/CLI.hpp>

namespace splitscope::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string nearest_option(const CLI::App& command, const std::vector<std::string>& arguments) {
    std::vector<std::string> known;
    for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
        for (const CLI::Option* option : app->get_options()) {
            for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
        }
    }
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        constexpr std::size_t longest = 40;
        if (!name.starts_with("--") || name.size() > longest) continue;
        if (std::ranges::find(known, name) != known.end()) continue;
        const auto nearest = std::ranges::min_element(
            known, {}, [&](const std::string& option) { return edit_distance(name, option); });
        if (nearest != known.end() &&
            edit_distance(name, *nearest) <= std::max<std::size_t>(2, name.size() / 4)) {
            return *nearest;
        }
    }
    return {};
}

}  // namespace splitscope::cli
