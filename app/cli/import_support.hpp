// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "app/cli/console.hpp"

namespace splitscope::cli {

struct SupportImport {
    std::string file;
    std::string machine;  ///< gets what its devices of the families refuse; may be empty
    std::string output;   ///< where the changed machine is written
    bool json = false;
    std::size_t rows = 40;
};

/// A file that begins as published operation support tables do (placement.md §14).
bool is_support_table(const std::string& path);

/// Tells what each family of a table refuses, and writes it into a machine when there is one.
int import_support(Console& console, const SupportImport& options);

}  // namespace splitscope::cli
