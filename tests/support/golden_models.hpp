// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>

namespace splitscope::test {

/// The folder of models of the golden data; it may not exist.
inline std::filesystem::path golden_models() {
    const char* chosen = std::getenv("SPLITSCOPE_GOLDEN");
    return std::filesystem::path(chosen != nullptr ? chosen : SPLITSCOPE_GOLDEN_DIR) / "models";
}

}  // namespace splitscope::test
