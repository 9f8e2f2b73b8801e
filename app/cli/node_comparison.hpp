// SPDX-License-Identifier: GPL-3.0-or-later
// Results of two backends, or of two builds of one, as text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/console.hpp"
#include "engine/formats/documents/comparison_json.hpp"
#include "engine/session/compare_backends.hpp"

namespace splitscope::cli {

/// Prints the verdict, then the nodes that differ; at most `rows` of them, 0 = all.
void print_nodes(Console& console, const BackendComparison& comparison, bool times, std::size_t rows);

/// Prints the verdict on every device, then the nodes of each device. `one_thread`: whether each operation
/// ran on one thread.
void print_builds(Console& console, const std::vector<ComparedBuilds>& all,
                  const std::vector<MissingDevice>& missing, bool one_thread, std::size_t rows);

}  // namespace splitscope::cli
