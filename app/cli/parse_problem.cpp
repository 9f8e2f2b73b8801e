// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse_problem.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace splitscope::cli {
namespace {

template <class Number>
bool is(const std::string& text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [read, failed] = std::from_chars(text.data(), end, number);
    return read == end && failed != std::errc::invalid_argument;
}

}  // namespace

std::string parse_problem(const std::string& description) {
    const std::string_view text = description;
    constexpr auto kNone = std::string_view::npos;
    // Not with std::regex, whose recursion overflows the stack on long values.
    constexpr std::string_view kNotConverted = "Could not convert: ";
    constexpr std::string_view kEquals = " = ";
    if (const std::size_t equals = text.find(kEquals); text.starts_with(kNotConverted) && equals != kNone)
        return fmt::format("{}: '{}' is not a number",
                           text.substr(kNotConverted.size(), equals - kNotConverted.size()),
                           text.substr(equals + kEquals.size()));
    constexpr std::string_view kValue = "Value ";
    constexpr std::string_view kOutside = " not in range ";
    const std::size_t begin = text.find(kValue);
    const std::size_t end = text.rfind(kOutside);
    if (begin == kNone || end == kNone || end < begin + kValue.size()) return description;
    const std::string_view option = text.substr(0, begin);
    const std::string value(text.substr(begin + kValue.size(), end - begin - kValue.size()));
    const std::string_view bounds = text.substr(end + kOutside.size());
    if (!is<double>(value)) return fmt::format("{}'{}' is not a number", option, value);
    // Bounds without a point are those of an integer.
    if (bounds.substr(0, bounds.find(' ')).find('.') == kNone && !is<long long>(value))
        return fmt::format("{}'{}' is not a whole number", option, value);
    return description;
}

}  // namespace splitscope::cli
