// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/job.hpp"

namespace splitscope {

/// A value inside a JSON text that has not been built.
struct JsonPiece {
    std::string_view text;
    std::size_t at = 0;  ///< of its first byte in the document

    bool is_array() const { return text.starts_with('['); }
};

struct JsonMember {
    std::string key;
    JsonPiece value;
};

/// The members of the object that a document is, without building anything: a document of hundreds of
/// megabytes can be read piece by piece. Structure is checked here, values by whoever parses them. Throws
/// Error(bad_file) naming the byte. Like the others here it can be cancelled anywhere.
std::vector<JsonMember> json_members(std::string_view document, const JobContext& job);

/// Whether the value, which nobody builds, is JSON throughout.
bool is_json(const JsonPiece& value, const JobContext& job);

/// Number of elements of an array; 0 for one that is empty.
std::size_t count_elements(const JsonPiece& array, const JobContext& job);

/// Calls f(run, first) for the elements of an array, at most `most` at a time; `run` is their text with the
/// commas between them, `first` the index of the first one.
void for_each_run(const JsonPiece& array, std::size_t most, const JobContext& job,
                  const std::function<void(const JsonPiece& run, std::size_t first)>& f);

}  // namespace splitscope
