// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace splitscope::unicode {

/// First character of each run (upper 24 bits) and the class of the run (lower 8 bits), ascending.
std::span<const std::uint32_t> class_runs();

struct Replacement {
    char32_t from;
    char32_t to;
};

/// First characters of canonical decompositions, ascending; Hangul syllables have no row.
std::span<const Replacement> base_letters();

/// Lower case, ascending; unchanged characters have no row.
std::span<const Replacement> lower_letters();

}  // namespace splitscope::unicode
