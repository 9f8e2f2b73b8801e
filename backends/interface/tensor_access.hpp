// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/interface/backend.hpp"
#include "backends/interface/tensor_place.hpp"

namespace splitscope {

/// A tensor of a bound graph: what the operations of backend-api.md §5 work on.
struct BoundTensor {
    const BoundGraph& graph;
    TensorId id;

    const Tensor& tensor() const { return graph[id]; }
    TensorPlace& place() const { return graph.place(id); }
    /// The view source's buffer for a view, else its own; null when there is none.
    Buffer* buffer() const { return graph.buffer_of(id); }
    /// A view of placed memory has data from the moment it exists.
    bool has_data() const { return place().has_data || graph.place(graph.view().memory_of(id)).has_data; }
};

/// Bytes into a tensor, complete on return. `offset` is in bytes from the tensor's data; size 0 does nothing.
/// Errors: no-buffer, unallocated, range.
void tensor_set(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset = 0);
/// Bytes out of a tensor, complete on return. Errors as tensor_set.
void tensor_get(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset = 0);
/// Fills a byte range of a tensor. Errors as tensor_set, and unsupported when the buffer cannot.
void tensor_memset(const BoundTensor& t, std::byte value, std::uint64_t offset, std::uint64_t size);

/// Equal pieces at equal distances, in the tensor and in host memory.
struct Pieces {
    std::uint64_t bytes = 0;  ///< of one piece
    std::uint64_t count = 0;
    std::uint64_t tensor_stride = 0;  ///< from one piece to the next in the tensor
    std::uint64_t host_stride = 0;
};
/// `pieces.count` transfers in one call; 0 bytes or 0 pieces do nothing. Errors as tensor_set, range also
/// when the pieces exceed the host memory given; nothing is transferred then.
void tensor_set_2d(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset,
                   const Pieces& pieces);
void tensor_get_2d(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset,
                   const Pieces& pieces);
void tensor_set_2d_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                         std::uint64_t offset, const Pieces& pieces);
void tensor_get_2d_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                         std::uint64_t offset, const Pieces& pieces);

/// Queued on the backend if it can, else synchronous after the backend's queue is done. The host memory must
/// stay valid until the backend is synchronised. Errors: unallocated, range (checked for size 0 too).
void tensor_set_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                      std::uint64_t offset = 0);
void tensor_get_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                      std::uint64_t offset = 0);

/// Copies all bytes of `source`, gaps included, by the first way that fits: from host memory, into host
/// memory, between the buffers, through temporary memory. The same tensor: nothing. Errors: layout,
/// no-buffer (also a view that is not initialised).
void tensor_copy(const BoundTensor& source, const BoundTensor& destination);

/// Queued on the destination's backend if that accepts; else both backends are synchronised and the copy
/// blocks. Both tensors belong to the same bound graph. Errors: layout.
void tensor_copy_async(Backend& source_backend, Backend& destination_backend, const BoundTensor& source,
                       const BoundTensor& destination);

/// Gives a view its buffer, then lets the buffer set it up. Errors: placement (it has a buffer, or is no
/// view), no-buffer and unallocated (its view source has none).
Status view_init(const BoundTensor& view);

/// Puts a tensor at an offset of a buffer, then lets the buffer set it up. Errors: placement (it has a buffer
/// or data, is a view, or does not fit), internal (the type gives it fewer bytes than it has).
Status tensor_alloc(const BoundTensor& t, Buffer& buffer, std::uint64_t offset);

}  // namespace splitscope
