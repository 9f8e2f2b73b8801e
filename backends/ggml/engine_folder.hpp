// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace splitscope::ggml {

/// The engine's main library in a folder, whatever it is called there; nothing when there is none.
std::optional<std::filesystem::path> engine_library(const std::filesystem::path& folder);
/// The part of it that others need.
std::optional<std::filesystem::path> base_library(const std::filesystem::path& folder);

/// Folders of engines that are likely the user's: beside the programs of llama.cpp in PATH, in a build tree
/// and in the packages of the current folder. Looks only; loads nothing.
std::vector<std::filesystem::path> engines_around();

}  // namespace splitscope::ggml
