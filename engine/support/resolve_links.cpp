// SPDX-License-Identifier: MIT
#include "engine/support/resolve_links.hpp"

#include <system_error>

namespace splitscope {

std::filesystem::path resolve_links(std::filesystem::path path) {
    constexpr int kMax = 40;  // limit of the kernel
    for (int i = 0; i < kMax; ++i) {
        std::error_code no_link;
        const auto next = std::filesystem::read_symlink(path, no_link);
        if (no_link) break;
        path = path.parent_path() / next;
    }
    return path;
}

}  // namespace splitscope
