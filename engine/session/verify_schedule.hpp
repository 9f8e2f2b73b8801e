// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/messages/message.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// Our schedule beside the one of the scheduler that its devices come with.
struct ScheduleVerification {
    std::size_t tensors = 0;    ///< compared
    std::size_t elsewhere = 0;  ///< on another backend
    std::size_t our_splits = 0;
    std::size_t their_splits = 0;
    std::size_t our_copies = 0;
    std::size_t their_copies = 0;
    struct Size {
        std::string backend;
        std::uint64_t ours = 0;
        std::uint64_t theirs = 0;
    };
    std::vector<Size> sizes;  ///< of compute buffers; empty = not known
    Message first;            ///< the first difference; empty = there is none

    bool same() const { return first.empty(); }
};

/// Asks the machine's own scheduler about the analysed graph (own_scheduler.hpp). Errors: unsupported, when
/// the devices have none; the error that ended our schedule early.
ScheduleVerification verify_schedule(const Analysis& analysis);

}  // namespace splitscope
