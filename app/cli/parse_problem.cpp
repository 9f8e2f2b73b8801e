// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse_problem.hpp"

#include <charconv>
#include <regex>

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
    static const std::regex kOutside(R"(((?:.|\n)*)Value ((?:.|\n)*) not in range (\S+) to (\S+))");
    static const std::regex kNotConverted(R"(Could not convert: (\S+) = ((?:.|\n)*))");
    std::smatch part;
    if (std::regex_match(description, part, kNotConverted))
        return fmt::format("{}: '{}' is not a number", part[1].str(), part[2].str());
    if (!std::regex_match(description, part, kOutside)) return description;
    const std::string value = part[2];
    if (!is<double>(value)) return fmt::format("{}'{}' is not a number", part[1].str(), value);
    // Bounds without a point are those of an integer.
    if (part[3].str().find('.') == std::string::npos && !is<long long>(value))
        return fmt::format("{}'{}' is not a whole number", part[1].str(), value);
    return description;
}

}  // namespace splitscope::cli
