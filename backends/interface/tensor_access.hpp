// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_place.hpp"

namespace splitscope {

/// A tensor of a bound graph, the operand of the functions of backend-api.md §5.
struct BoundTensor {
    const BoundGraph& graph;
    TensorId id;

    const Tensor& tensor() const { return graph[id]; }
    TensorPlace& place() const { return graph.place(id); }
    /// The buffer of a view's source, else its own; null if there is none.
    Buffer* buffer() const { return graph.buffer_of(id); }
    /// A view has data as soon as its base has.
    bool has_data() const { return place().has_data || graph.place(graph.view().memory_of(id)).has_data; }
};

/// Throws Error(range) if some of these bytes are not in the tensor.
void require_range(const BoundTensor& t, std::uint64_t offset, std::uint64_t size);

/// Writes bytes to a tensor, complete on return. `offset` is in bytes from the start of the tensor; size 0
/// does nothing. Errors: no-buffer, unallocated, range.
void tensor_set(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset = 0);
/// Reads bytes from a tensor, complete on return. Errors as tensor_set().
void tensor_get(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset = 0);
/// Fills a byte range of a tensor. Errors as tensor_set(), and unsupported if the buffer cannot be filled.
void tensor_memset(const BoundTensor& t, std::byte value, std::uint64_t offset, std::uint64_t size);

/// Queued on the backend if supported, otherwise synchronous after the backend's queue has drained. The host
/// memory must stay valid until the backend is synchronised. Errors: unallocated, range (also checked for
/// size 0).
void tensor_set_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                      std::uint64_t offset = 0);
void tensor_get_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                      std::uint64_t offset = 0);

/// Copies all bytes of `source`, including gaps, by the first applicable method: from host memory, into host
/// memory, between buffers, through temporary memory. No-op for the same tensor. Errors: layout, no-buffer
/// (also for an uninitialised view).
void tensor_copy(const BoundTensor& source, const BoundTensor& destination);

/// Queued on the destination's backend if it accepts; otherwise both backends are synchronised and the copy
/// blocks. Both tensors must belong to the same bound graph. Errors: layout.
void tensor_copy_async(Backend& source_backend, Backend& destination_backend, const BoundTensor& source,
                       const BoundTensor& destination);

/// Sets a view's buffer and calls the buffer's init_tensor(). Errors: placement (it has a buffer, or is not a
/// view), no-buffer and unallocated (its base has none).
Status view_init(const BoundTensor& view);

/// Places a tensor at an offset of a buffer and calls the buffer's init_tensor(). Errors: placement (it has a
/// buffer or data, is a view, or does not fit), internal (the type reports fewer bytes than the tensor has).
Status tensor_alloc(const BoundTensor& t, Buffer& buffer, std::uint64_t offset);

}  // namespace splitscope
