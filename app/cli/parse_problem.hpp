// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace splitscope::cli {

/// The parser's description of an error. Numeric options that were given no number are described as such
/// instead of by their range.
std::string parse_problem(const std::string& description);

}  // namespace splitscope::cli
