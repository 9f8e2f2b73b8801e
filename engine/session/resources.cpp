// SPDX-License-Identifier: MIT
#include "engine/session/resources.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/folder_list.hpp"

namespace splitscope {

std::filesystem::path resource_path(const std::filesystem::path& relative) {
    std::vector<std::filesystem::path> folders;
    if (const char* override_folder = std::getenv("SPLITSCOPE_RESOURCES"))
        folders.emplace_back(override_folder);
    std::error_code ignored;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
    if (!ignored) folders.push_back(executable.parent_path().parent_path() / "share" / "splitscope");
    // Programs that link the engine have another executable folder.
    auto data_folders = folder_list("XDG_DATA_DIRS");
    if (data_folders.empty()) data_folders = {"/usr/local/share", "/usr/share"};
    for (const auto& folder : data_folders)
        if (!folder.empty()) folders.push_back(folder / "splitscope");
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
