// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace splitscope::unicode {

/// First character of each run (upper 24 bits) and the class of the run (lower 8 bits), ascending.
std::span<const std::uint32_t> class_runs();

struct PlainLetter {
    char32_t from;
    char32_t to;
};

/// Lower case without accents, ascending; a character with several replacements has several rows. Unchanged
/// characters and Hangul syllables have none.
std::span<const PlainLetter> plain_letters();

/// Lower case, ascending; unchanged characters have no row.
std::span<const PlainLetter> lower_letters();

}  // namespace splitscope::unicode
