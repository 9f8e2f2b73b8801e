// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/formats/json_place.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

struct JsonMember {
    std::string key;
    JsonPiece value;
};

/// The members of an object, unparsed, so that documents of hundreds of megabytes can be read piece by piece.
/// Checks the structure only; values are checked when they are parsed. Throws Error(bad_file) with line and
/// column. Like the functions below, throws Cancelled.
std::vector<JsonMember> json_members(const JsonPiece& object, const JobContext& job);

/// Number of elements of an array.
std::size_t count_elements(const JsonPiece& array, const JobContext& job);

/// Calls f(run, first) for runs of at most `most` elements of an array: `run` is their text, separated by
/// commas, and `first` the index of the first one.
void for_each_run(const JsonPiece& array, std::size_t most, const JobContext& job,
                  const std::function<void(const JsonPiece& run, std::size_t first)>& f);

}  // namespace splitscope
