// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// A folder for temporary files that only this user can look into, removed at the end unless it is kept.
class PrivateFolder {
 public:
    /// Throws Error(io) when there is no place for one.
    PrivateFolder();
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void keep() { kept_ = true; }

 private:
    std::filesystem::path path_;
    bool kept_ = false;
};

}  // namespace splitscope
