// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace splitscope {

/// A temporary folder with access for this user only, deleted by the destructor unless it is kept.
class PrivateFolder {
 public:
    /// Its name is `splitscope-PURPOSE-` and six random characters. Throws Error(io) if it cannot be created.
    explicit PrivateFolder(std::string_view purpose);
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void keep() { kept_ = true; }

    /// Deletes this user's folders of that purpose whose process ended without its destructors, for example
    /// by SIGKILL. Folders of the last minute stay, since their owners may not have locked them yet.
    static void remove_abandoned(std::string_view purpose);

 private:
    std::filesystem::path path_;
    int lock_ = -1;  ///< an open folder whose lock ends with the process
    bool kept_ = false;
};

}  // namespace splitscope
