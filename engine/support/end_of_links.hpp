// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// Where what is written to `path` belongs, which need not be there yet.
std::filesystem::path end_of_links(std::filesystem::path path);

}  // namespace splitscope
