// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/reports/report_part.hpp"
#include "engine/reports/table.hpp"

namespace splitscope {

/// A table for a terminal: aligned columns without lines, numbers right-aligned. The last line counts omitted
/// rows. Empty for a table without rows.
std::string text_table(const Table& table);

/// "name  value" lines, aligned.
std::string text_facts(const std::vector<Fact>& facts);

}  // namespace splitscope
