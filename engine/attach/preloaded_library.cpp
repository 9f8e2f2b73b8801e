// SPDX-License-Identifier: MIT
#include "engine/attach/preloaded_library.hpp"

#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>

#include <unistd.h>

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

fs::path recorder_library() {
    if (const char* chosen = std::getenv("SPLITSCOPE_RECORDER")) return chosen;
    std::error_code failed;
    const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
    fs::path library = executable.parent_path().parent_path() / "lib" / "splitscope" / "preload" /
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
    link_.emplace("preload");
    const fs::path library = fs::absolute(path_);
    path_ = link_->path() / "recorder.so";
    if (has_separator(path_)) {
        throw Error(ErrorKind::io, msg::kCannotPreload, link_->path().parent_path(),
                    msg::kSetTemporaryFolder);
    }
    std::error_code failed;
    fs::create_symlink(library, path_, failed);
    if (failed) {
        throw Error(ErrorKind::io, msg::kCannotLinkRecorder(system_error(failed.value())), path_,
                    msg::kSetTemporaryFolder);
    }
}

std::vector<std::string> PreloadedLibrary::environment(
    std::string_view without, const std::vector<std::pair<std::string, std::string>>& added) const {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (text.starts_with(without)) continue;
        const auto equals = text.find('=');
        if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : added) variables[name] = value;
    std::string& preload = variables["LD_PRELOAD"];
    preload = path_.string() + (preload.empty() ? "" : ":" + preload);
    std::vector<std::string> environment;
    environment.reserve(variables.size());
    for (const auto& [name, value] : variables) environment.emplace_back(name).append("=").append(value);
    return environment;
}

}  // namespace splitscope
