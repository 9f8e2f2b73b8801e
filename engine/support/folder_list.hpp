// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace splitscope {

/// The folders of an environment variable such as PATH, separated by colons, in their order; those of
/// `otherwise` where it is not set. An empty entry stays: in PATH it is the working folder.
std::vector<std::filesystem::path> folder_list(const char* variable, std::string_view otherwise = {});

}  // namespace splitscope
