// SPDX-License-Identifier: MIT
#include "recorder/scan_values.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace splitscope::recorder {
namespace {

float from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    constexpr std::uint32_t kSpecial = 0x1F;
    if (exponent == kSpecial) return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13U));
    if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (fraction << 13U));
    const float small = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -small : small;
}

template <class T>
T value_at(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

using Convert = double(const char*);
struct Readable {
    std::string_view name;
    std::size_t bytes;
    Convert* convert;
};

constexpr Readable kReadable[] = {
    {"f32", 4, [](const char* b) -> double { return value_at<float>(b); }},
    {"f16", 2, [](const char* b) -> double { return from_half(value_at<std::uint16_t>(b)); }},
    {"bf16", 2,
     [](const char* b) -> double {
         return std::bit_cast<float>(std::uint32_t{value_at<std::uint16_t>(b)} << 16U);
     }},
    {"f64", 8, [](const char* b) -> double { return value_at<double>(b); }},
    {"i8", 1, [](const char* b) -> double { return value_at<std::int8_t>(b); }},
    {"i16", 2, [](const char* b) -> double { return value_at<std::int16_t>(b); }},
    {"i32", 4, [](const char* b) -> double { return value_at<std::int32_t>(b); }},
    {"i64", 8, [](const char* b) -> double { return static_cast<double>(value_at<std::int64_t>(b)); }},
};

const Readable* readable(std::string_view type) {
    const auto* const found = std::find_if(std::begin(kReadable), std::end(kReadable),
                                           [type](const Readable& r) { return r.name == type; });
    return found == std::end(kReadable) ? nullptr : found;
}

constexpr std::size_t kPiece = std::size_t{1} << 18;

/// `count` values at intervals of `stride` bytes.
void scan_strided(const Readable& type, std::size_t offset, std::size_t count, std::size_t stride,
                  std::vector<char>& buffer, const ReadBytes& read, ValueStatistics& out) {
    const std::size_t at_once = std::max<std::size_t>(1, kPiece / std::max(stride, type.bytes));
    while (count > 0) {
        const std::size_t now = std::min(count, at_once);
        const std::size_t bytes = (now - 1) * stride + type.bytes;
        if (buffer.size() < bytes) buffer.resize(bytes);
        read(buffer.data(), offset, bytes);
        for (std::size_t i = 0; i < now; ++i) out.add(type.convert(buffer.data() + i * stride));
        offset += now * stride;
        count -= now;
    }
}

}  // namespace

ValueStatistics scan_values(const TensorFacts& tensor, std::string_view type, const ReadBytes& read) {
    ValueStatistics out;
    const Readable* const known = readable(type);
    if (known == nullptr || std::ranges::any_of(tensor.ne, [](std::int64_t n) { return n <= 0; })) return out;
    std::vector<char> buffer;
    // Contiguous dimensions are read as one.
    std::size_t count = static_cast<std::size_t>(tensor.ne[0]);
    std::size_t joined = 1;
    while (joined < tensor.ne.size() && tensor.nb[joined] == tensor.nb[0] * count) {
        count *= static_cast<std::size_t>(tensor.ne[joined]);
        ++joined;
    }
    std::array<std::int64_t, TensorLayout::kDims> index{};
    while (true) {
        std::size_t offset = 0;
        for (std::size_t d = joined; d < index.size(); ++d) {
            offset += static_cast<std::size_t>(index[d]) * tensor.nb[d];
        }
        scan_strided(*known, offset, count, tensor.nb[0], buffer, read, out);
        std::size_t d = joined;
        while (d < index.size() && ++index[d] == tensor.ne[d]) index[d++] = 0;
        if (d >= index.size()) return out;
    }
}

}  // namespace splitscope::recorder
