// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/job.hpp"

namespace splitscope {

/// How many test cases of one operation a backend runs and refuses.
struct SupportCount {
    std::size_t yes = 0;
    std::size_t no = 0;
};

/// A published operation support table of one family of backends (placement.md §14).
struct OpSupportTable {
    std::string family;
    std::map<std::string, SupportCount> operations;
    /// {operation, element type} of the operations whose types matter.
    std::map<std::pair<std::string, std::string>, SupportCount> types;

    /// Operations of graphs that have no supported case.
    std::vector<std::string> unsupported_ops() const;
    /// Operation → types with no supported case although the operation has some.
    std::map<std::string, std::vector<std::string>> unsupported_types() const;
    /// Operations and types with both answers: it depends on shapes and layouts.
    std::vector<std::string> depends() const;
};

/// What a file of tables holds.
struct OpSupportFile {
    std::vector<OpSupportTable> tables;  ///< one per family
    std::vector<Message> notes;          ///< lines that were not understood, with their numbers
};

/// Reads a file of tables within the memory bound. Lines of more than 64 KiB, with other fields than the
/// first line names, or with names that are longer than any are notes. Throws Error with the line: bad_file
/// when a needed column is missing, limit above 256 families, memory_bound when its operations would take too
/// much.
OpSupportFile parse_op_support(std::string_view text, std::string_view source, const JobContext& job = {});

}  // namespace splitscope
