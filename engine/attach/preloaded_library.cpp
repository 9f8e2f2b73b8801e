// SPDX-License-Identifier: MIT
#include "engine/attach/preloaded_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

fs::path recorder_library() {
    if (const char* chosen = std::getenv("SPLITSCOPE_RECORDER")) return chosen;
    std::error_code failed;
    const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
    const fs::path library = executable.parent_path().parent_path() / "lib" / "splitscope" / "preload" /
                             "libsplitscope_recorder.so";
    if (failed || !fs::exists(library, failed)) {
        throw Error(ErrorKind::io, msg::kRecorderMissing, library, msg::kReinstallSplitscope);
    }
    return library;
}

bool has_separator(const fs::path& path) {
    return path.string().find_first_of(" :") != std::string::npos;
}

}  // namespace

PreloadedLibrary::PreloadedLibrary() : path_(recorder_library()) {
    if (!has_separator(path_)) return;
    link_.emplace();
    const fs::path library = fs::absolute(path_);
    path_ = link_->path() / "recorder.so";
    if (has_separator(path_)) {
        throw Error(ErrorKind::io, msg::kCannotPreload, link_->path().parent_path(),
                    msg::kSetTemporaryFolder);
    }
    fs::create_symlink(library, path_);
}

std::vector<std::string> PreloadedLibrary::environment(
    std::string_view without, const std::vector<std::pair<std::string, std::string>>& added) const {
    std::vector<std::string> environment;
    std::string preload = path_.string();
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        constexpr std::string_view kPreload = "LD_PRELOAD=";
        const std::string name = text.substr(0, text.find('='));
        if (text.starts_with(kPreload)) {
            preload += ":" + text.substr(kPreload.size());
        } else if (!text.starts_with(without) &&
                   std::ranges::none_of(added, [&](const auto& one) { return one.first == name; })) {
            environment.push_back(text);
        }
    }
    environment.push_back("LD_PRELOAD=" + preload);
    for (const auto& [name, value] : added) environment.push_back(name + "=" + value);
    return environment;
}

}  // namespace splitscope
