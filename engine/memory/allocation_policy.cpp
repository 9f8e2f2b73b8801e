// SPDX-License-Identifier: MIT
#include "engine/memory/allocation_policy.hpp"

#include <array>

namespace splitscope {
namespace {

constexpr std::array<AllocationPolicy, kGenerations.size()> kPolicies = {
    AllocationPolicy{.generation = Generation::g2024_01,
                     .live_tensors = true,
                     .empty_sizes_wrap = true,
                     .refuses_oversized_tensors = true},
    AllocationPolicy{
        .generation = Generation::g2024_10, .empty_sizes_wrap = true, .refuses_oversized_tensors = true},
    AllocationPolicy{
        .generation = Generation::g2025_06, .checks_position = true, .empty_buffers_have_no_address = true},
    AllocationPolicy{.generation = Generation::g2026_08,
                     .checks_position = true,
                     .empty_buffers_have_no_address = true,
                     .max_chunks = 16,
                     .buffers_on_demand = true,
                     .frees_surplus = true,
                     .buffer_counts_as_placed = true},
};

}  // namespace

const AllocationPolicy& allocation_policy(Generation generation) {
    return kPolicies[static_cast<std::size_t>(generation)];
}

}  // namespace splitscope
