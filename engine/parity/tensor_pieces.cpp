// SPDX-License-Identifier: MIT
#include "engine/parity/tensor_pieces.hpp"

#include <limits>
#include <optional>

#include "engine/parity/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

/// Bytes from the first to the end of the last piece; empty on overflow.
std::optional<std::uint64_t> reach(const Pieces& pieces, std::uint64_t stride) {
    const auto steps = checked_mul(pieces.count - 1, stride);
    return steps ? checked_add(*steps, pieces.bytes) : std::nullopt;
}

/// Calls transfer(tensor offset, host offset) for each piece after checking all.
template <class Transfer>
void transfer_pieces(const BoundTensor& t, std::uint64_t host_bytes, std::uint64_t offset,
                     const Pieces& pieces, Transfer&& transfer) {
    if (pieces.bytes == 0 || pieces.count == 0) return;
    const auto in_tensor = reach(pieces, pieces.tensor_stride);
    const auto in_host = reach(pieces, pieces.host_stride);
    if (!in_host || *in_host > host_bytes) {
        throw Error(ErrorKind::range, msg::kPiecesExceed(pieces.count, host_bytes), t.tensor().name,
                    msg::kGiveMoreMemory);
    }
    require_range(t, offset, in_tensor.value_or(std::numeric_limits<std::uint64_t>::max()));
    for (std::uint64_t i = 0; i < pieces.count; ++i) {
        transfer(offset + i * pieces.tensor_stride, i * pieces.host_stride);
    }
}

}  // namespace

void tensor_set_2d(const BoundTensor& t, std::span<const std::byte> data, std::uint64_t offset,
                   const Pieces& pieces) {
    transfer_pieces(t, data.size(), offset, pieces, [&](std::uint64_t at, std::uint64_t from) {
        tensor_set(t, data.subspan(from, pieces.bytes), at);
    });
}

void tensor_get_2d(const BoundTensor& t, std::span<std::byte> data, std::uint64_t offset,
                   const Pieces& pieces) {
    transfer_pieces(t, data.size(), offset, pieces, [&](std::uint64_t at, std::uint64_t to) {
        tensor_get(t, data.subspan(to, pieces.bytes), at);
    });
}

void tensor_set_2d_async(Backend& backend, const BoundTensor& t, std::span<const std::byte> data,
                         std::uint64_t offset, const Pieces& pieces) {
    transfer_pieces(t, data.size(), offset, pieces, [&](std::uint64_t at, std::uint64_t from) {
        tensor_set_async(backend, t, data.subspan(from, pieces.bytes), at);
    });
}

void tensor_get_2d_async(Backend& backend, const BoundTensor& t, std::span<std::byte> data,
                         std::uint64_t offset, const Pieces& pieces) {
    transfer_pieces(t, data.size(), offset, pieces, [&](std::uint64_t at, std::uint64_t to) {
        tensor_get_async(backend, t, data.subspan(to, pieces.bytes), at);
    });
}

}  // namespace splitscope
