// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// A file shipped with the program, e.g. "sample-model/splitscope-sample-q8_0.gguf": looked for in the folder
/// named by the environment variable SPLITSCOPE_RESOURCES, in ../share/splitscope beside the executable, then
/// in the folder splitscope of each of XDG_DATA_DIRS. Throws Error(io) when it is in none of them.
std::filesystem::path resource_path(const std::filesystem::path& relative);

/// The built-in sample model, which opens when no file is given.
std::filesystem::path sample_model_path();

}  // namespace splitscope
