// SPDX-License-Identifier: MIT
#include "engine/session/resources.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

std::filesystem::path resource_path(const std::filesystem::path& relative) {
    std::vector<std::filesystem::path> folders;
    if (const char* override_folder = std::getenv("SPLITSCOPE_RESOURCES"))
        folders.emplace_back(override_folder);
    std::error_code ignored;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!ignored) folders.push_back(executable.parent_path().parent_path() / "share" / "splitscope");
    // Another program that links the engine has a folder of its own.
    const char* data_folders = std::getenv("XDG_DATA_DIRS");
    std::istringstream list(data_folders != nullptr && *data_folders != '\0' ? data_folders
                                                                             : "/usr/local/share:/usr/share");
    for (std::string folder; std::getline(list, folder, ':');)
        if (!folder.empty()) folders.push_back(std::filesystem::path(folder) / "splitscope");
    for (const auto& folder : folders) {
        const auto candidate = folder / relative;
        if (std::filesystem::exists(candidate, ignored)) return candidate;
    }
    throw Error(ErrorKind::io, msg::kResourceMissing, relative, msg::kReinstall);
}

std::filesystem::path sample_model_path() {
    return resource_path("sample-model/splitscope-sample-q8_0.gguf");
}

}  // namespace splitscope
