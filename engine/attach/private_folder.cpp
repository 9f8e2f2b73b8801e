// SPDX-License-Identifier: MIT
#include "engine/attach/private_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

std::string name_start(std::string_view purpose) {
    return "splitscope-" + std::string(purpose) + "-";
}

/// An open folder with a lock, or -1.
int lock_folder(const fs::path& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || ::flock(folder, LOCK_EX | LOCK_NB) == 0) return folder;
    ::close(folder);
    return -1;
}

bool is_own_and_old(int folder) {
    constexpr std::time_t kYoung = 60;
    struct stat facts {};
    return ::fstat(folder, &facts) == 0 && facts.st_uid == ::geteuid() &&
           facts.st_mtime < std::time(nullptr) - kYoung;
}

}  // namespace

PrivateFolder::PrivateFolder(std::string_view purpose) {
    std::string pattern = (folder_for_temporary_files() / (name_start(purpose) + "XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        throw Error(ErrorKind::io, system_error(errno), pattern, msg::kSetTemporaryFolder);
    }
    path_ = pattern;
    lock_ = lock_folder(path_);
}

PrivateFolder::~PrivateFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

void PrivateFolder::remove_abandoned(std::string_view purpose) {
    std::error_code failed;
    const std::string start = name_start(purpose);
    const fs::directory_iterator entries(fs::temp_directory_path(failed), failed);
    for (auto entry = begin(entries); !failed && entry != end(entries); entry.increment(failed)) {
        const fs::path& path = entry->path();
        if (!path.filename().string().starts_with(start)) continue;
        const int folder = lock_folder(path);
        if (folder < 0) continue;
        std::error_code ignored;
        if (is_own_and_old(folder)) fs::remove_all(path, ignored);
        ::close(folder);
    }
}

}  // namespace splitscope
