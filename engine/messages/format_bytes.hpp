// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace splitscope {

/// Formats a byte count in binary units with three significant digits: "512 B", "12.6 MiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace splitscope
