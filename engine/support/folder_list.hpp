// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace splitscope {

/// The folders in an environment variable such as PATH, separated by colons; those in `fallback` if it is not
/// set. Empty entries are kept: in PATH they mean the working folder.
std::vector<std::filesystem::path> folder_list(const char* variable, std::string_view fallback = {});

}  // namespace splitscope
