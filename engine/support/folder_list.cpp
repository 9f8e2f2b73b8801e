// SPDX-License-Identifier: MIT
#include "engine/support/folder_list.hpp"

#include <algorithm>
#include <cstdlib>

namespace splitscope {

std::vector<std::filesystem::path> folder_list(const char* variable, std::string_view fallback) {
    const char* const value = std::getenv(variable);
    std::string_view rest = value == nullptr ? fallback : value;
    std::vector<std::filesystem::path> folders;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        folders.emplace_back(rest.substr(0, colon));
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return folders;
}

}  // namespace splitscope
