// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitscope::recorder {

/// Whether this process may write there: weights are often files that it only reads.
bool is_writable(std::uintptr_t address, std::size_t size);

}  // namespace splitscope::recorder
