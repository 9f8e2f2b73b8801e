// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace splitscope {

/// The number of letters to insert, remove, replace or exchange with their neighbour.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name most similar to a misspelt one; empty if none is similar.
std::string nearest_name(const std::vector<std::string>& known, std::string_view word);

/// At most `count` known names, the most similar first.
std::vector<std::string> most_similar_names(const std::set<std::string>& known, std::string_view word,
                                            std::size_t count);

}  // namespace splitscope
