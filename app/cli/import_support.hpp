// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "app/cli/console.hpp"

namespace splitscope::cli {

struct SupportImport {
    std::string file;
    std::string machine;  ///< machine file to extend with the refusals of its devices' families; may be empty
    std::string output;   ///< output file for the extended machine
    bool json = false;
    std::size_t rows = 40;
};

/// Whether a file starts like a published operation support table (placement.md §14).
bool is_support_table(const std::string& path);

/// Prints what each family of a table refuses, and adds it to a machine if one is given.
int import_support(Console& console, const SupportImport& options);

}  // namespace splitscope::cli
