// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace splitscope::ggml {

/// The engine's main library in a folder, under any of its names; empty if there is none.
std::optional<std::filesystem::path> engine_library(const std::filesystem::path& folder);
/// The base library, which the others depend on.
std::optional<std::filesystem::path> base_library(const std::filesystem::path& folder);

/// All libraries of ggml in a folder.
std::vector<std::filesystem::path> engine_libraries(const std::filesystem::path& folder);

/// Folders with likely engines of the user: of llama.cpp programs in PATH, and build trees and packages below
/// the current folder. Loads nothing.
std::vector<std::filesystem::path> nearby_engines();

}  // namespace splitscope::ggml
