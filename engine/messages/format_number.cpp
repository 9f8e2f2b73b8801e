// SPDX-License-Identifier: MIT
#include "engine/messages/format_number.hpp"

#include <cmath>

#include <fmt/format.h>

namespace splitscope {

std::string format_duration(std::int64_t nanoseconds) {
    const auto value = static_cast<double>(nanoseconds);
    if (std::abs(value) < 1e3) return fmt::format("{} ns", nanoseconds);
    const auto scaled = [](double v, const char* unit) {
        return fmt::format("{:.{}f} {}", v, v < 9.995 ? 2 : v < 99.95 ? 1 : 0, unit);
    };
    if (value < 999.5e3) return scaled(value / 1e3, "µs");
    if (value < 999.5e6) return scaled(value / 1e6, "ms");
    return scaled(value / 1e9, "s");
}

std::string format_count(std::int64_t value) {
    std::string digits = fmt::format("{}", value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t end = digits.size(); end > first + 3;) {
        end -= 3;
        digits.insert(end, ",");
    }
    return digits;
}

std::string format_figure(double value) {
    const double size = std::abs(value);
    if (size < 999.5 || size >= 1e15) return fmt::format("{:.3g}", value);
    const double scale = std::pow(10.0, std::floor(std::log10(size)) - 2);
    return format_count(std::llround(std::round(value / scale) * scale));
}

}  // namespace splitscope
