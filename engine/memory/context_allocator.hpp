// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backends/interface/buffer.hpp"
#include "backends/interface/tensor_place.hpp"
#include "engine/memory/allocation_policy.hpp"

namespace splitscope {

/// Allocates all tensors of a context in one buffer type, in the order they were created: in one buffer, or
/// in several joined by a MultiBuffer when they exceed the type's maximum (allocator.md §6, §8.3). Views are
/// initialised. Null when there is nothing to allocate. On an error everything allocated here is undone.
/// Errors: memory, limit (a tensor larger than the maximum, generations of 2024), placement.
std::unique_ptr<Buffer> allocate_context(const AllocationPolicy& policy, BufferType& type,
                                         const BoundGraph& graph, std::span<const TensorId> tensors);

/// The bytes allocate_context would ask for, without allocating.
std::uint64_t context_size(const AllocationPolicy& policy, const BufferType& type, const BoundGraph& graph,
                           std::span<const TensorId> tensors);

}  // namespace splitscope
