// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_range.hpp"

#include <cmath>
#include <cstdlib>

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

}  // namespace splitscope::cli
