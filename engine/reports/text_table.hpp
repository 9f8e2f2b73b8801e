// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/reports/report.hpp"

namespace splitscope {

/// A table for a terminal: aligned columns, numbers to the right, no lines. A last line counts rows that were
/// cut. Empty for a table without rows.
std::string text_table(const Table& table);

/// "name  value" lines, aligned.
std::string text_facts(const std::vector<Fact>& facts);

}  // namespace splitscope
