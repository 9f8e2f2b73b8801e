// SPDX-License-Identifier: MIT
#include "backends/ggml/remembered_engine.hpp"

#include <cstdlib>
#include <fstream>

#include "backends/ggml/engine_folder.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::ggml {
namespace {

namespace fs = std::filesystem;

fs::path variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

RememberedEngine RememberedEngine::of_user() {
    fs::path settings = variable("XDG_CONFIG_HOME");
    if (!settings.is_absolute()) {
        const fs::path home = variable("HOME");
        if (!home.is_absolute()) return RememberedEngine();
        settings = home / ".config";
    }
    return RememberedEngine(settings / "splitscope" / "engine");
}

std::string RememberedEngine::folder() const {
    std::string line;
    if (!file_.empty()) {
        std::ifstream file(file_);
        std::getline(file, line);
    }
    return !line.empty() && fs::path(line).is_absolute() && engine_library(line) ? line : std::string();
}

void RememberedEngine::remember(const std::string& folder) const {
    if (file_.empty() || folder == this->folder() || folder.find('\n') != std::string::npos) return;
    std::error_code failed;
    fs::create_directories(file_.parent_path(), failed);
    if (failed) return;
    try {
        write_file_atomically(file_, folder + "\n");
    } catch (const Error&) {
        return;
    }
}

}  // namespace splitscope::ggml
