// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace splitscope::cli {

/// Numbers from `least` to `most`. CLI::Range takes NaN for one of them.
CLI::Validator number_range(double least, double most);

}  // namespace splitscope::cli
