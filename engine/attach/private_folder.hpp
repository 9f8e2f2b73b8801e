// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace splitscope {

/// A temporary folder with access for this user only, deleted by the destructor unless it is kept.
class PrivateFolder {
 public:
    /// Throws Error(io) if the folder cannot be created.
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
