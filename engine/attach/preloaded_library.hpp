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

/// The recorder (recorder/) under a name that can be preloaded, since what is preloaded is listed with blanks
/// and colons. Found beside the program's folder, both built and installed, or where the environment variable
/// SPLITSCOPE_RECORDER says. Throws Error(io) when it is missing.
class PreloadedLibrary {
 public:
    PreloadedLibrary();
    const std::filesystem::path& path() const { return path_; }

    /// Our environment with the library preloaded, `added` set and everything left out that starts with
    /// `without`.
    std::vector<std::string> environment(std::string_view without,
                                         const std::vector<std::pair<std::string, std::string>>& added) const;

 private:
    std::filesystem::path path_;
    std::optional<PrivateFolder> link_;
};

}  // namespace splitscope
