// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace splitscope::cli {

/// Accepts numbers from `least` to `most`. CLI::Range accepts NaN.
CLI::Validator number_range(double least, double most);

}  // namespace splitscope::cli
