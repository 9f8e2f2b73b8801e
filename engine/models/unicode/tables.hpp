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

/// What characters become in lower case and without accents, ascending; a character that becomes several has
/// several rows. Characters that stay as they are, and Hangul syllables, have none.
std::span<const PlainLetter> plain_letters();

}  // namespace splitscope::unicode
