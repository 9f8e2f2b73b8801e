// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_range.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace splitscope::cli {

CLI::Validator number_range(double least, double most) {
    CLI::Range range(least, most);
    const auto check = [range](std::string& text) {
        const bool is_nan = std::isnan(std::strtod(text.c_str(), nullptr));
        return is_nan ? std::string("'" + text + "' is not a number") : range(text);
    };
    CLI::Validator validator(check, range.get_description(), range.get_name());
    return validator;
}

CLI::Validator whole_number() {
    const auto check = [](const std::string& text) {
        std::uint64_t number{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        return whole ? std::string() : "'" + text + "' is not a whole number of at most 64 bits";
    };
    return {check, "", "WHOLE"};
}

}  // namespace splitscope::cli
