// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backends/interface/machine.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {

/// The batch size of an operation for op offload (placement.md §8).
std::int64_t offload_batch(OffloadRule rule, const Tensor& node);

}  // namespace splitscope
