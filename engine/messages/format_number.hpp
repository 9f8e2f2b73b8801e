// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace splitscope {

/// "412 ns", "12.4 µs", "3.20 s".
std::string format_duration(std::int64_t nanoseconds);
/// 1234567 → "1,234,567".
std::string format_count(std::int64_t value);
/// Three significant digits without an exponent: 10.13 → "10.1", 30612 → "30,600".
std::string format_figure(double value);

}  // namespace splitscope
