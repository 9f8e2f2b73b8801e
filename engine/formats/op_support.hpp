// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/job.hpp"

namespace splitscope {

/// Numbers of supported and unsupported test cases of one operation.
struct SupportCount {
    std::size_t yes = 0;
    std::size_t no = 0;
};

/// The published operation support table of one backend family (placement.md §14).
struct OpSupportTable {
    std::string family;
    std::map<std::string, SupportCount> operations;
    /// {operation, element type}, for operations whose tests name a type.
    std::map<std::pair<std::string, std::string>, SupportCount> types;

    /// Operations of graphs without a supported case.
    std::vector<std::string> unsupported_ops() const;
    /// Types without a supported case, for operations that have supported cases.
    std::map<std::string, std::vector<std::string>> unsupported_types() const;
    /// Operations and types with both results: support depends on shapes or layouts.
    std::vector<std::string> depends() const;
};

/// Contents of a file of support tables.
struct OpSupportFile {
    std::vector<OpSupportTable> tables;  ///< one per family
    std::vector<Message> notes;          ///< lines that could not be parsed, with their numbers
};

/// Parses a file of support tables within the memory bound. Malformed lines (above 64 KiB, wrong number of
/// fields, oversized names) become notes. Throws Error with the line: bad_file if a required column is
/// missing, limit above 256 families, memory_bound if the operations would take too much memory.
OpSupportFile parse_op_support(std::string_view text, std::string_view source, const JobContext& job = {});

}  // namespace splitscope
