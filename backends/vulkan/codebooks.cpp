// SPDX-License-Identifier: MIT
#include "backends/vulkan/codebooks.hpp"

#include <span>

#include "engine/tensor/quants/iq_grids.hpp"

namespace splitscope::vulkan {
namespace {

constexpr std::size_t kNumbers = 4608;

}  // namespace

std::vector<std::uint16_t> codebooks() {
    std::vector<std::uint16_t> all;
    all.reserve(kNumbers);
    const auto add = [&all](std::span<const std::uint16_t> grid) {
        for (const std::uint16_t point : grid) all.push_back(point);
    };
    add(quants::kIq2XxsGrid);
    add(quants::kIq2XsGrid);
    add(quants::kIq2SGrid);
    add(quants::kIq3XxsGrid);
    add(quants::kIq3SGrid);
    add(quants::kIq1Grid);
    return all;
}

}  // namespace splitscope::vulkan
