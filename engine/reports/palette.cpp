// SPDX-License-Identifier: MIT
#include "engine/reports/palette.hpp"

#include <array>

namespace splitscope {

std::string_view backend_colour(std::size_t backend, std::size_t backend_count) {
    constexpr std::string_view cpu = "#e69f00";
    constexpr std::array<std::string_view, 6> others = {"#0072b2", "#009e73", "#cc79a7",
                                                        "#56b4e9", "#d55e00", "#b8ac1f"};
    if (backend + 1 == backend_count) return cpu;
    return others[backend % others.size()];
}

}  // namespace splitscope
