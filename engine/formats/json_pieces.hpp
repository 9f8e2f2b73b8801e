// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/job.hpp"

namespace splitscope {

/// An unparsed value of a JSON text.
struct JsonPiece {
    std::string_view text;
    std::size_t at = 0;  ///< of its first byte in the document

    bool is_array() const { return text.starts_with('['); }
};

struct JsonMember {
    std::string key;
    JsonPiece value;
};

/// The members of a document's top-level object, unparsed, so that documents of hundreds of megabytes can be
/// read piece by piece. Checks the structure only; values are checked when they are parsed. Throws
/// Error(bad_file) with the byte. Like the functions below, throws Cancelled.
std::vector<JsonMember> json_members(std::string_view document, const JobContext& job);

/// Whether the value is valid JSON; for values that are skipped.
bool is_json(const JsonPiece& value, const JobContext& job);

/// Number of elements of an array.
std::size_t count_elements(const JsonPiece& array, const JobContext& job);

/// Calls f(run, first) for runs of at most `most` elements of an array: `run` is their text, separated by
/// commas, and `first` the index of the first one.
void for_each_run(const JsonPiece& array, std::size_t most, const JobContext& job,
                  const std::function<void(const JsonPiece& run, std::size_t first)>& f);

}  // namespace splitscope
