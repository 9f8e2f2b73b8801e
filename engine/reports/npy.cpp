// SPDX-License-Identifier: MIT
#include "engine/reports/npy.hpp"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "engine/execution/tensor_values.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

/// Alignment of the data after magic, version, header length and header.
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPrefix = 10;

std::string shape_tuple(const Shape& ne) {
    std::size_t used = ne.size();
    while (used > 1 && ne[used - 1] == 1) --used;
    std::string out;
    for (std::size_t i = used; i-- > 0;) out += fmt::format("{}, ", ne[i]);
    // A one-element tuple keeps its comma.
    return out.substr(0, out.size() - (used > 1 ? 2 : 1));
}

}  // namespace

std::string npy_of(const Tensor& tensor, std::span<const std::byte> bytes) {
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", shape_tuple(tensor.ne));
    const std::size_t length =
        (kPrefix + header.size() + 1 + kAlignment - 1) / kAlignment * kAlignment - kPrefix;
    header.resize(length - 1, ' ');
    header += '\n';
    std::string out = "\x93NUMPY";
    out += '\x01';
    out += '\0';
    out += static_cast<char>(length & 0xFF);
    out += static_cast<char>(length >> 8);
    out += header;
    if (is_empty(tensor)) return out;
    out.reserve(out.size() + static_cast<std::size_t>(element_count(tensor)) * sizeof(float));
    const std::int64_t rows = row_count(tensor);
    for (std::int64_t row = 0; row < rows; ++row) {
        for (const float value : row_values(tensor, bytes, row, 0, tensor.ne[0])) {
            const auto bits = std::bit_cast<std::uint32_t>(value);
            for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((bits >> shift) & 0xFF);
        }
    }
    return out;
}

}  // namespace splitscope
