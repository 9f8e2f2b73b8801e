// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitscope::recorder {

/// Whether the memory is writable: weights are often read-only mappings.
bool is_writable(std::uintptr_t address, std::size_t size);

}  // namespace splitscope::recorder
