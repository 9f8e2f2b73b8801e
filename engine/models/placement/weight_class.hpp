// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/models/memory_rules.hpp"
#include "engine/tensor/op.hpp"

namespace splitscope {

enum class WeightClass : std::uint8_t { input, output, block };

/// Properties derived from a weight's name (placement.md §3).
struct WeightRole {
    WeightClass kind = WeightClass::output;
    std::int32_t block = -1;      ///< block number in the name; -1 = none
    Op probe = Op::mul_mat;       ///< the operation that uses it
    bool experts = false;         ///< a stack of experts
    bool in_every_block = false;  ///< no block number, but used by each block (rope factors)
    /// State size of a decay for SSM_SCAN, from the metadata.
    std::int64_t scan_state = 0;
    std::int64_t scan_inner = 0;
};

WeightRole weight_role(std::string_view name, const MemoryRules& rules = {});

/// Position of a tensor within its block's creation order; unknown tensors come last.
int creation_rank(std::string_view name);

}  // namespace splitscope
