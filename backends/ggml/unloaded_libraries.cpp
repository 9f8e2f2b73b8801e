// SPDX-License-Identifier: MIT
#include "backends/ggml/unloaded_libraries.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "backends/ggml/engine_folder.hpp"

namespace splitscope::ggml {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "libggml-";

/// "cpu" of libggml-cpu-haswell.so.
std::string backend_in(const fs::path& file) {
    const std::string name = file.filename().string().substr(kPrefix.size());
    return name.substr(0, name.find_first_of("-."));
}

bool is_loaded(const fs::path& file) {
    void* const found = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (found != nullptr) ::dlclose(found);
    return found != nullptr;
}

void keep_error(int level, const char* text, void* user) {
    constexpr int kError = 4;
    if (level == kError && text != nullptr) *static_cast<std::string*>(user) += text;
}

/// The engine's message without the name of its function; what fails is silent in release builds unless a
/// single library is loaded.
UnloadedLibrary tried(const Library& library, const fs::path& file) {
    UnloadedLibrary result{file.string(), {}};
    if (library.load == nullptr) return result;
    std::string said;
    library.log_set(keep_error, &said);
    const Library::Registry made = library.load(file.c_str());
    library.log_set([](int, const char*, void*) {}, nullptr);
    if (made != nullptr) {
        if (library.unload != nullptr) library.unload(made);
        return result;
    }
    const std::size_t function = said.find(": ");
    result.reason = function == std::string::npos ? said : said.substr(function + 2);
    while (result.reason.ends_with('\n')) result.reason.pop_back();
    if (result.reason.empty()) result.reason = "it does not support this computer";
    return result;
}

}  // namespace

std::vector<UnloadedLibrary> unloaded_libraries(const Library& library, const fs::path& folder) {
    std::map<std::string, std::vector<fs::path>> backends;
    for (const fs::path& file : engine_libraries(folder)) {
        const std::string name = file.filename().string();
        if (name.starts_with(kPrefix) && name.ends_with(".so") && name != "libggml-base.so")
            backends[backend_in(file)].push_back(file);
    }
    std::vector<UnloadedLibrary> result;
    for (const auto& [backend, files] : backends) {
        if (std::ranges::any_of(files, is_loaded)) continue;
        for (const fs::path& file : files) result.push_back(tried(library, file));
    }
    const char* const named = std::getenv("GGML_BACKEND_PATH");
    if (named != nullptr && *named != '\0' && !is_loaded(named)) result.push_back(tried(library, named));
    return result;
}

}  // namespace splitscope::ggml
