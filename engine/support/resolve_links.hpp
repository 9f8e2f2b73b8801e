// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// Resolves symbolic links of a path that need not exist yet.
std::filesystem::path resolve_links(std::filesystem::path path);

}  // namespace splitscope
