// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// What the splits of a backend copy in from another.
struct LinkCopies {
    BackendId from;  ///< invalid: tensors without a backend
    BackendId to;
    std::size_t copies = 0;
    std::uint64_t bytes = 0;

    bool operator==(const LinkCopies&) const = default;
};

/// Bytes of the inputs of a split, or of all splits.
std::uint64_t copied_bytes(const Schedule& schedule, const Split& split);
std::uint64_t copied_bytes(const Schedule& schedule);

/// The links in use, most bytes first.
std::vector<LinkCopies> copies_by_link(const Schedule& schedule);

}  // namespace splitscope
