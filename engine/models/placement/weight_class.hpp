// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/tensor/op.hpp"

namespace splitscope {

enum class WeightClass : std::uint8_t { input, output, block };

/// What a tensor's name says about it (placement.md §3).
struct WeightRole {
    WeightClass kind = WeightClass::output;
    std::int32_t block = -1;      ///< number in the name, for blocks
    Op probe = Op::mul_mat;       ///< the operation it is used in
    bool experts = false;         ///< a stack of experts
    bool in_every_block = false;  ///< no block number, but each block uses it (rope factors)
    /// Of a decay that SSM_SCAN takes: the sizes of the state, as the metadata has them.
    std::int64_t scan_state = 0;
    std::int64_t scan_inner = 0;
};

/// `architecture` may be empty: then what most of them do.
WeightRole weight_role(std::string_view name, std::string_view architecture = {});

/// Position of a tensor among those of its block, as loaders create them; unknown ones come last.
int creation_rank(std::string_view name);

}  // namespace splitscope
