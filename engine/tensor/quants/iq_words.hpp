// SPDX-License-Identifier: MIT
// Points of the codebooks of the IQ types as words of bytes, element 0 lowest.
#pragma once

#include <array>
#include <cstdint>

namespace splitscope::quants {

const std::array<std::uint64_t, 256>& iq2_xxs_words();
const std::array<std::uint64_t, 512>& iq2_xs_words();
const std::array<std::uint64_t, 1024>& iq2_s_words();
const std::array<std::uint32_t, 256>& iq3_xxs_words();
const std::array<std::uint32_t, 512>& iq3_s_words();
/// Eight times the coordinates 0, 1 and 2; the elements are these minus 7 or 9.
const std::array<std::uint64_t, 2048>& iq1_words();

}  // namespace splitscope::quants
