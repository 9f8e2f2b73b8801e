// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace splitscope::golden {

/// The output of `xz -dc`; empty if xz is not installed.
std::string unpacked(const std::filesystem::path& path);

}  // namespace splitscope::golden
