// SPDX-License-Identifier: MIT
#include "engine/memory/allocation_policy.hpp"

#include <array>

namespace splitscope {
namespace {

constexpr OpSet kFirstInPlaceOps = {
    Op::scale, Op::diag_mask_zero, Op::diag_mask_inf, Op::add,   Op::add1, Op::sub,      Op::mul,     Op::div,
    Op::sqr,   Op::sqrt,           Op::log,           Op::unary, Op::rope, Op::rms_norm, Op::soft_max};
constexpr OpSet kInPlaceOps2025 =
    kFirstInPlaceOps.with({Op::rope_back, Op::silu_back, Op::rms_norm_back, Op::soft_max_back});
constexpr OpSet kInPlaceOps2026 = kInPlaceOps2025.with({Op::fill, Op::add_id});

constexpr std::array<AllocationPolicy, kGenerations.size()> kPolicies = {
    AllocationPolicy{.generation = Generation::g2024_01,
                     .in_place_ops = kFirstInPlaceOps,
                     .live_tensors = true,
                     .empty_sizes_wrap = true,
                     .refuses_oversized_tensors = true},
    AllocationPolicy{.generation = Generation::g2024_10,
                     .in_place_ops = kFirstInPlaceOps,
                     .empty_sizes_wrap = true,
                     .refuses_oversized_tensors = true},
    AllocationPolicy{.generation = Generation::g2025_06,
                     .in_place_ops = kInPlaceOps2025,
                     .checks_position = true,
                     .empty_buffers_have_no_address = true},
    AllocationPolicy{.generation = Generation::g2026_08,
                     .in_place_ops = kInPlaceOps2026,
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
