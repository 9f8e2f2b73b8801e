// SPDX-License-Identifier: MIT
#include "engine/support/system_error.hpp"

#include <cerrno>
#include <system_error>

#include "engine/support/messages.hpp"

namespace splitscope {

Message system_error(int code) {
    switch (code) {
        case ENOENT:
            return msg::kNoSuchFile;
        case EACCES:
        case EPERM:
            return msg::kPermissionDenied;
        case EISDIR:
            return msg::kIsDirectory;
        case ENOTDIR:
            return msg::kNotDirectory;
        case ENOSPC:
            return msg::kNoSpaceLeft;
        case EROFS:
            return msg::kReadOnlyFileSystem;
        case ENAMETOOLONG:
            return msg::kNameTooLong;
        case ELOOP:
            return msg::kTooManyLinks;
        case ENOMEM:
            return msg::kOutOfMemory;
        default:
            return Message::verbatim(std::generic_category().message(code));
    }
}

}  // namespace splitscope
