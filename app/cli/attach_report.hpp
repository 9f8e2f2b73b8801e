// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "engine/formats/documents/attach_json.hpp"

namespace splitscope::cli {

/// "l_out-2 (ADD) on GPU0, split 1, graph 3 (decode of one token), node 94 of 161".
std::string place_of(const AttachStop& stop);

/// Prints a stop with the values of its result and operands.
void print_stop(Console& console, const SeenStop& seen);
/// Prints the first node with a NaN or an infinity, and whether an operand already had one.
void print_first_not_finite(Console& console, const SeenStop& seen);
void print_profile(Console& console, const ShapeProfile& shape, std::size_t rows);
void print_comparison(Console& console, const AttachComparison& comparison, std::size_t rows);
void print_verification(Console& console, const std::vector<VerifiedGraph>& graphs);

/// "ended with exit code 1".
std::string describe_end(const AttachEnd& end);

}  // namespace splitscope::cli
