// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "backends/interface/buffer.hpp"
#include "backends/interface/tensor_place.hpp"
#include "engine/memory/allocation_policy.hpp"

namespace splitscope {

/// Allocates all tensors of a context in one buffer type, in creation order: in one buffer, or in several
/// joined by a MultiBuffer if they exceed the type's maximum (allocator.md §6, §8.3). Initialises views. Null
/// if there is nothing to allocate. On an error, all allocations are undone. Errors: memory, limit (a tensor
/// above the maximum, generations of 2024), placement.
std::unique_ptr<Buffer> allocate_context(const AllocationPolicy& policy, BufferType& type,
                                         const BoundGraph& graph, std::span<const TensorId> tensors);

/// The number of bytes that allocate_context() would allocate.
std::uint64_t context_size(const AllocationPolicy& policy, const BufferType& type, const BoundGraph& graph,
                           std::span<const TensorId> tensors);

}  // namespace splitscope
