// SPDX-License-Identifier: MIT
#include "recorder/unloaded_backends.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include <dlfcn.h>

namespace splitscope::recorder {
namespace {

namespace fs = std::filesystem;

bool is_loaded(const std::string& file) {
    void* const found = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (found != nullptr) ::dlclose(found);
    return found != nullptr;
}

}  // namespace

std::vector<std::string> unloaded_backends(const void* function) {
    // As unloaded_libraries() of backends/ggml.
    constexpr std::string_view kPrefix = "libggml-";
    std::map<std::string, std::vector<std::string>> backends;
    Dl_info library{};
    if (::dladdr(function, &library) != 0 && library.dli_fname != nullptr) {
        std::error_code failed;
        const fs::path folder = fs::path(library.dli_fname).parent_path();
        for (fs::directory_iterator i(folder, failed), end; !failed && i != end; i.increment(failed)) {
            const std::string name = i->path().filename().string();
            if (!name.starts_with(kPrefix) || !name.ends_with(".so") || name == "libggml-base.so") continue;
            const std::string backend = name.substr(kPrefix.size());
            backends[backend.substr(0, backend.find_first_of("-."))].push_back(i->path().string());
        }
    }
    std::vector<std::string> unloaded;
    for (auto& [backend, files] : backends) {
        if (std::ranges::any_of(files, is_loaded)) continue;
        std::ranges::sort(files);
        unloaded.insert(unloaded.end(), files.begin(), files.end());
    }
    const char* const named = std::getenv("GGML_BACKEND_PATH");
    if (named != nullptr && *named != '\0' && !is_loaded(named)) unloaded.emplace_back(named);
    return unloaded;
}

}  // namespace splitscope::recorder
