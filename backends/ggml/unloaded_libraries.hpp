// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "backends/ggml/library.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// Libraries of backends in the folder, and the one that GGML_BACKEND_PATH names, which the engine has not
/// loaded. Of the variants of a backend, such as those for several processors, one suffices. Replaces the
/// engine's log callback.
std::vector<UnloadedLibrary> unloaded_libraries(const Library& library, const std::filesystem::path& folder);

}  // namespace splitscope::ggml
