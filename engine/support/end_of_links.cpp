// SPDX-License-Identifier: MIT
#include "engine/support/end_of_links.hpp"

#include <system_error>

namespace splitscope {

std::filesystem::path end_of_links(std::filesystem::path path) {
    constexpr int kMost = 40;  // as many as the system follows
    for (int i = 0; i < kMost; ++i) {
        std::error_code no_link;
        const auto next = std::filesystem::read_symlink(path, no_link);
        if (no_link) break;
        path = path.parent_path() / next;
    }
    return path;
}

}  // namespace splitscope
