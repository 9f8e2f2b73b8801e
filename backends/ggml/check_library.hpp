// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope::ggml {

/// Reads the headers of a folder's ggml libraries before any is loaded, because the loader crashes on a
/// truncated one and calls one for another processor missing. Errors: bad_file, if one is truncated;
/// unsupported, if the main or base library is for another processor.
void check_libraries(const std::filesystem::path& folder);

}  // namespace splitscope::ggml
