// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace splitscope::recorder {

/// The libraries of backends beside the library of ggml with this function, and the one that
/// GGML_BACKEND_PATH names, which the program has not loaded. Of the variants of a backend, such as those for
/// several processors, one suffices.
std::vector<std::string> unloaded_backends(const void* function);

}  // namespace splitscope::recorder
