// SPDX-License-Identifier: MIT
#include "engine/execution/tensor_slice.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/execution/messages.hpp"
#include "engine/execution/tensor_values.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

void require_inside(const Tensor& t, const Shape& element) {
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (element[d] >= 0 && element[d] < t.ne[d]) continue;
        throw Error(ErrorKind::range, msg::kNoSuchElement, t.name, msg::kStayInShape);
    }
}

std::int64_t row_of(const Tensor& t, const Shape& element) {
    return element[1] + t.ne[1] * (element[2] + t.ne[2] * element[3]);
}

/// Parts of rows in logical order: visit(row, first, count).
template <class Visit>
void for_each_piece_of(const Tensor& t, const JobContext& job, Visit visit) {
    if (is_empty(t)) return;
    const std::int64_t rows = row_count(t);
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t first = 0; first < t.ne[0]; first += kValuesAtOnce) {
            job.check();
            visit(row, first, std::min(kValuesAtOnce, t.ne[0] - first));
        }
    }
}

/// Distance of two values; NaN against a number is the largest.
double distance(const DifferingElement& e) {
    const double d = std::abs(static_cast<double>(e.a) - static_cast<double>(e.b));
    return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

bool differs_more(const DifferingElement& x, const DifferingElement& y) {
    const double dx = distance(x);
    const double dy = distance(y);
    return dx != dy ? dx > dy : x.number < y.number;
}

}  // namespace

SliceChoice first_slice(const Tensor& t) {
    SliceChoice slice;
    for (std::size_t d = 1; d < kMaxDims; ++d) {
        if (t.ne[d] <= 1) continue;
        slice.row_axis = d;
        break;
    }
    return slice;
}

Shape element_of(const SliceChoice& slice, std::int64_t row, std::int64_t column) {
    Shape element = slice.index;
    element[slice.row_axis] = row;
    element[slice.column_axis] = column;
    return element;
}

std::int64_t element_number(const Tensor& t, const Shape& element) {
    return row_of(t, element) * t.ne[0] + element[0];
}

Shape element_at(const Tensor& t, std::int64_t number) {
    Shape element{};
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        element[d] = number % t.ne[d];
        number /= t.ne[d];
    }
    return element;
}

SliceTensor slice_of(const Tensor& t, const SliceChoice& slice) {
    if (slice.row_axis >= kMaxDims || slice.column_axis >= kMaxDims || slice.row_axis == slice.column_axis) {
        throw Error(ErrorKind::range, msg::kSameAxes, t.name, msg::kChooseTwoAxes);
    }
    const bool blocks = traits_of(t.type).quantised;
    if (blocks && slice.column_axis != 0) {
        throw Error(ErrorKind::unsupported, msg::kBlocksIndivisible, t.name, msg::kColumnsAreDimension0);
    }
    const Shape corner = element_of(slice, 0, 0);
    if (!is_empty(t)) require_inside(t, corner);
    SliceTensor out;
    out.tensor.name = t.name;
    out.tensor.type = t.type;
    out.tensor.ne = {t.ne[slice.column_axis], t.ne[slice.row_axis], 1, 1};
    out.tensor.nb = {t.nb[slice.column_axis], t.nb[slice.row_axis], t.nb[slice.row_axis],
                     t.nb[slice.row_axis]};
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        out.offset += static_cast<std::uint64_t>(corner[d]) * static_cast<std::uint64_t>(t.nb[d]);
    }
    return out;
}

float value_at(const Tensor& t, std::span<const std::byte> bytes, const Shape& element) {
    require_inside(t, element);
    return row_values(t, bytes, row_of(t, element), element[0], 1).front();
}

bool can_edit_values(ElementType type) {
    return traits_of(type).block_elements == 1 && can_decode(type) && can_encode(type);
}

void set_value(const Tensor& t, std::span<std::byte> bytes, const Shape& element, float value) {
    if (!can_edit_values(t.type)) {
        throw Error(ErrorKind::unsupported, msg::kNotEditable, t.name, msg::kEditUnquantised);
    }
    require_inside(t, element);
    std::uint64_t at = 0;
    for (std::size_t d = 0; d < kMaxDims; ++d) at += static_cast<std::uint64_t>(element[d] * t.nb[d]);
    const auto size = static_cast<std::uint64_t>(traits_of(t.type).block_bytes);
    if (at > bytes.size() || bytes.size() - at < size) {
        throw Error(ErrorKind::range, msg::kElementBeyondData, t.name, msg::kReadAgain);
    }
    codec_of(t.type).encode(&value, bytes.data() + at, 1);
}

DifferenceList list_differences(const Tensor& a, std::span<const std::byte> a_bytes, const Tensor& b,
                                std::span<const std::byte> b_bytes, std::size_t most, const JobContext& job) {
    if (!same_shape(a, b)) {
        throw Error(ErrorKind::layout, msg::kShapesDiffer, a.name, msg::kCompareSameShape);
    }
    DifferenceList out;
    // A heap with the smallest difference on top.
    std::vector<DifferingElement>& heap = out.largest;
    for_each_piece_of(a, job, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
        const auto x = row_values(a, a_bytes, row, first, count);
        const auto y = row_values(b, b_bytes, row, first, count);
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) continue;
            const DifferingElement e{row * a.ne[0] + first + static_cast<std::int64_t>(i), x[i], y[i]};
            if (out.first < 0) out.first = e.number;
            if (heap.size() < most) {
                heap.push_back(e);
                std::push_heap(heap.begin(), heap.end(), differs_more);
            } else if (!heap.empty() && differs_more(e, heap.front())) {
                std::pop_heap(heap.begin(), heap.end(), differs_more);
                heap.back() = e;
                std::push_heap(heap.begin(), heap.end(), differs_more);
            }
        }
    });
    std::sort(heap.begin(), heap.end(), differs_more);
    return out;
}

std::string values_as_npy(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job) {
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, {}, {}), }}", t.ne[3],
                    t.ne[2], t.ne[1], t.ne[0]);
    // Data is aligned to 64 bytes: 10 bytes precede the header, a line end follows it.
    header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
    header += '\n';
    std::string out = "\x93NUMPY\x01";
    out += '\0';
    out += static_cast<char>(header.size() & 0xFFU);
    out += static_cast<char>(header.size() >> 8U);
    out += header;
    // Growing a large string step by step copies it, and cannot be cancelled.
    out.reserve(out.size() + static_cast<std::size_t>(element_count(t)) * sizeof(float));
    for_each_piece_of(t, job, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
        for (const float value : row_values(t, bytes, row, first, count)) {
            const auto bits = std::bit_cast<std::uint32_t>(value);
            const std::array little_endian = {
                static_cast<char>(bits & 0xFFU), static_cast<char>((bits >> 8U) & 0xFFU),
                static_cast<char>((bits >> 16U) & 0xFFU), static_cast<char>(bits >> 24U)};
            out.append(little_endian.data(), little_endian.size());
        }
    });
    return out;
}

std::string values_as_csv(const Tensor& t, std::span<const std::byte> bytes, const JobContext& job) {
    std::string out;
    for_each_piece_of(t, job, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
        for (const float value : row_values(t, bytes, row, first, count)) {
            if (!out.empty() && out.back() != '\n') out += ',';
            out += fmt::format("{}", value);
        }
        if (first + count == t.ne[0]) out += '\n';
    });
    return out;
}

}  // namespace splitscope
