// SPDX-License-Identifier: MIT
#include "engine/tensor/shape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/support/checked.hpp"

namespace splitscope {

std::string cut_name(std::string name) {
    if (name.size() > kMaxNameBytes) name.resize(kMaxNameBytes);
    return name;
}

std::optional<std::int64_t> checked_extent(const Shape& ne) {
    std::optional<std::int64_t> product = 1;
    for (std::size_t d = 0; d < kMaxDims && product; ++d)
        product = checked_mul(*product, std::max<std::int64_t>(ne[d], 1));
    return product;
}

Shape contiguous_strides(ElementType type, const Shape& ne) {
    const auto& traits = traits_of(type);
    Shape nb{};
    nb[0] = traits.block_bytes;
    nb[1] = nb[0] * (ne[0] / traits.block_elements);
    nb[2] = nb[1] * ne[1];
    nb[3] = nb[2] * ne[2];
    return nb;
}

std::int64_t element_count(const Tensor& t) {
    return t.ne[0] * t.ne[1] * t.ne[2] * t.ne[3];
}
std::int64_t row_count(const Tensor& t) {
    return t.ne[1] * t.ne[2] * t.ne[3];
}

bool is_empty(const Tensor& t) {
    return t.ne[0] <= 0 || t.ne[1] <= 0 || t.ne[2] <= 0 || t.ne[3] <= 0;
}

std::uint64_t byte_size_unguarded(const Tensor& t) {
    const auto& traits = traits_of(t.type);
    // Unsigned: wrap-around is intended, as in those generations.
    const auto u = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
    const auto steps = [&](std::size_t d) { return (u(t.ne[d]) - 1) * u(t.nb[d]); };
    const std::uint64_t rows = steps(1) + steps(2) + steps(3);
    if (traits.block_elements == 1) return u(traits.block_bytes) + steps(0) + rows;
    return u(t.ne[0]) * u(t.nb[0]) / u(traits.block_elements) + rows;
}

std::uint64_t byte_size(const Tensor& t) {
    return is_empty(t) ? 0 : byte_size_unguarded(t);
}

std::uint64_t element_bytes(const Tensor& t) {
    const auto& traits = traits_of(t.type);
    const std::uint64_t extent = byte_size(t);
    const auto block = static_cast<std::uint64_t>(traits.block_bytes);
    // Elements that share memory may be more than fit.
    const auto blocks = static_cast<std::uint64_t>(element_count(t) / traits.block_elements);
    return blocks <= extent / block ? blocks * block : extent;
}

std::optional<std::int64_t> byte_reach(const Tensor& t) {
    if (is_empty(t)) return 0;
    const auto& traits = traits_of(t.type);
    std::optional<std::int64_t> total = traits.block_bytes;
    for (std::size_t d = 0; d < kMaxDims && total; ++d) {
        const std::int64_t steps =
            d == 0 ? t.ne[0] / traits.block_elements + (t.ne[0] % traits.block_elements != 0 ? 1 : 0)
                   : t.ne[d];
        const auto span = checked_mul(steps - 1, t.nb[d]);
        total = span ? checked_add(*total, *span) : std::nullopt;
    }
    return total;
}

bool same_shape(const Tensor& a, const Tensor& b) {
    return a.ne == b.ne;
}
bool same_layout(const Tensor& a, const Tensor& b) {
    if (a.type != b.type) return false;
    // Faster than two calls of memcmp().
    std::int64_t differences = 0;
    for (std::size_t d = 0; d < kMaxDims; ++d) differences |= (a.ne[d] ^ b.ne[d]) | (a.nb[d] ^ b.nb[d]);
    return differences == 0;
}

bool is_contiguous(const Tensor& t) {
    const auto& traits = traits_of(t.type);
    std::int64_t expected = traits.block_bytes;
    if (t.ne[0] != traits.block_elements && t.nb[0] != expected) return false;
    expected *= t.ne[0] / traits.block_elements;
    for (std::size_t d = 1; d < kMaxDims; ++d) {
        if (t.ne[d] != 1) {
            if (t.nb[d] != expected) return false;
            expected *= t.ne[d];
        }
    }
    return true;
}

bool has_contiguous_rows(const Tensor& t) {
    const auto& traits = traits_of(t.type);
    return t.ne[0] == traits.block_elements || t.nb[0] == traits.block_bytes;
}

bool can_repeat(const Tensor& small, const Tensor& big) {
    if (is_empty(small)) return is_empty(big);
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (big.ne[d] % small.ne[d] != 0) return false;
    }
    return true;
}

std::string format_shape(const Shape& ne) {
    std::size_t dims = kMaxDims;
    while (dims > 1 && ne[dims - 1] == 1) --dims;
    std::string text = fmt::format("{}", ne[0]);
    for (std::size_t d = 1; d < dims; ++d) text += fmt::format(" × {}", ne[d]);
    return text;
}

}  // namespace splitscope
