// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace splitscope {

/// How a computation ended (backend-api.md §1).
enum class Status { success = 0, aborted = 1, failed = -1, allocation_failed = -2 };

constexpr std::string_view name_of(Status status) {
    switch (status) {
        case Status::success:
            return "success";
        case Status::aborted:
            return "aborted";
        case Status::failed:
            return "failed";
        case Status::allocation_failed:
            return "allocation failed";
    }
    return "failed";
}

}  // namespace splitscope
