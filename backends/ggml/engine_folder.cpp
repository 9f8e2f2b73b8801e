// SPDX-License-Identifier: MIT
#include "backends/ggml/engine_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/support/folder_list.hpp"

namespace splitscope::ggml {
namespace {

namespace fs = std::filesystem;

/// Whether the name ends in ".so", or that and a version. Others, such as debug files, are not loaded.
bool names_library(std::string_view name) {
    const std::size_t version = name.find_last_not_of("0123456789.");
    constexpr std::string_view kEnd = ".so";
    const std::string_view plain = name.substr(0, version + 1);
    const std::string_view rest = name.substr(plain.size());
    return plain.ends_with(kEnd) && (rest.empty() || (rest.size() > 1 && rest.front() == '.'));
}

/// Regular files with this prefix, sorted; reading others could block.
std::vector<fs::path> files_named(const fs::path& folder, std::string_view start) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed)) {
        const std::string name = i->path().filename().string();
        std::error_code unknown;
        if (name.starts_with(start) && names_library(name) && i->is_regular_file(unknown))
            found.push_back(i->path());
    }
    std::ranges::sort(found);
    return found;
}

std::optional<fs::path> first_of(const std::vector<fs::path>& files) {
    return files.empty() ? std::nullopt : std::optional(files.front());
}

std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed)) {
        std::error_code unknown;
        if (i->is_directory(unknown)) found.push_back(i->path());
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace

std::optional<fs::path> engine_library(const fs::path& folder) {
    return first_of(files_named(folder, "libggml."));
}

std::optional<fs::path> base_library(const fs::path& folder) {
    return first_of(files_named(folder, "libggml-base."));
}

std::vector<fs::path> engine_libraries(const fs::path& folder) {
    return files_named(folder, "libggml");
}

std::vector<fs::path> nearby_engines() {
    std::vector<fs::path> found;
    const auto add = [&](const fs::path& folder) {
        std::error_code failed;
        fs::path whole = fs::canonical(folder, failed);
        if (!failed && engine_library(whole) && std::ranges::find(found, whole) == found.end())
            found.push_back(std::move(whole));
    };
    for (const fs::path& folder : folder_list("PATH")) {
        if (folder.empty()) continue;
        std::error_code failed;
        const fs::path program = fs::canonical(folder / "llama-server", failed);
        if (failed) continue;
        add(program.parent_path());
        add(program.parent_path().parent_path() / "lib");
    }
    for (const fs::path& folder : folder_list("LD_LIBRARY_PATH"))
        if (!folder.empty()) add(folder);
    for (const fs::path& build : {fs::path("build/bin"), fs::path("bin")}) add(build);
    for (const fs::path& package : folders_in("node_modules/@node-llama-cpp"))
        for (const fs::path& build : folders_in(package / "bins")) add(build);
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        for (const char* const tree : {"llama.cpp/build/bin", "src/llama.cpp/build/bin", ".local/lib"})
            add(fs::path(home) / tree);
    }
    for (const char* const folder : {"/usr/local/lib", "/opt/llama.cpp/lib", "/usr/lib/x86_64-linux-gnu",
                                     "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
        add(folder);
    return found;
}

}  // namespace splitscope::ggml
