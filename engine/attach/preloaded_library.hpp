// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/attach/private_folder.hpp"

namespace splitscope {

/// The recorder library (recorder/) under a path without spaces and colons, as LD_PRELOAD requires. Looked
/// for next to the program's folder (build tree and installation) or at SPLITSCOPE_RECORDER. Throws Error(io)
/// if it is missing.
class PreloadedLibrary {
 public:
    PreloadedLibrary();
    const std::filesystem::path& path() const { return path_; }

    /// The current environment with the library preloaded, `added` set, and all variables removed whose name
    /// starts with `without`. Of equal names in `added` the last one counts.
    std::vector<std::string> environment(std::string_view without,
                                         const std::vector<std::pair<std::string, std::string>>& added) const;

 private:
    std::filesystem::path path_;
    std::optional<PrivateFolder> link_;
};

}  // namespace splitscope
