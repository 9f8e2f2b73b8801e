// SPDX-License-Identifier: MIT
#include "engine/attach/private_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

fs::path folder_for_temporary_files() {
    std::error_code failed;
    fs::path folder = fs::temp_directory_path(failed);
    if (!failed) return folder;
    const ErrorPlace unnamed(msg::kTemporaryFolder);
    const char* chosen = std::getenv("TMPDIR");
    throw Error(ErrorKind::io, system_error(failed.value()), chosen != nullptr ? ErrorPlace(chosen) : unnamed,
                msg::kSetTemporaryFolder);
}

}  // namespace

PrivateFolder::PrivateFolder() {
    std::string pattern = (folder_for_temporary_files() / "splitscope-record-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw Error(ErrorKind::io, system_error(errno), pattern, msg::kSetTemporaryFolder);
    }
    path_ = pattern;
}

PrivateFolder::~PrivateFolder() {
    if (kept_) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

}  // namespace splitscope
