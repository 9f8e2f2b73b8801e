// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

namespace splitscope::cli {

/// Accepts numbers from `least` to `most`. CLI::Range accepts NaN.
CLI::Validator number_range(double least, double most);

/// Accepts numbers of 64 bits without a sign. CLI11 takes -1 and numbers that are too large for others.
CLI::Validator whole_number();

}  // namespace splitscope::cli
