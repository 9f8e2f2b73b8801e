// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// The path of an installed file, e.g. "sample-model/splitscope-sample-q8_0.gguf". Searches the folder in
/// SPLITSCOPE_RESOURCES, ../share/splitscope relative to the executable, then splitscope in each of
/// XDG_DATA_DIRS. Throws Error(io) if it is not found.
std::filesystem::path resource_path(const std::filesystem::path& relative);

/// The built-in sample model, opened when no file is given.
std::filesystem::path sample_model_path();

}  // namespace splitscope
