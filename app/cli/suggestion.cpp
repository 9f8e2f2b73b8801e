// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/suggestion.hpp"

#include <algorithm>
#include <numeric>

#include <CLI/CLI.hpp>

namespace splitscope::cli {

namespace {

constexpr std::size_t kMaxLength = 40;

std::string nearest_of(const std::vector<std::string>& known, const std::string& word) {
    if (word.size() > kMaxLength) return {};
    const auto nearest = std::ranges::min_element(
        known, {}, [&](const std::string& name) { return edit_distance(word, name); });
    if (nearest == known.end()) return {};
    return edit_distance(word, *nearest) <= std::max<std::size_t>(2, word.size() / 4) ? *nearest
                                                                                      : std::string();
}

}  // namespace

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

std::string nearest_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::App* command : program.get_subcommands({})) known.push_back(command->get_name());
    return nearest_of(known, word);
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
        if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
        std::string nearest = nearest_of(known, name);
        if (!nearest.empty()) return nearest;
    }
    return {};
}

}  // namespace splitscope::cli
