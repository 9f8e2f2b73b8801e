// SPDX-License-Identifier: MIT
#include "backends/cpu/product.hpp"

#include <algorithm>
#include <array>

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu {
namespace {

std::size_t to_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// Aligns every part to a cache line.
std::size_t padded(std::size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

kernels::FloatFormat float_format_of(ElementType type) {
    if (type == ElementType::f16) return kernels::FloatFormat::f16;
    return type == ElementType::bf16 ? kernels::FloatFormat::bf16 : kernels::FloatFormat::f32;
}

/// Bytes of a column for kernels::arrange().
std::size_t arranged_bytes(ElementType weights, std::int64_t depth) {
    return padded(to_size(kernels::arranged_bytes(weights, depth)));
}

/// Unpacked weight rows in scratch memory.
struct UnpackedRows {
    UnpackedRows(float* scratch, const ByteForm& form, std::int64_t depth, int rows)
        : groups(depth / form.group),
          scales(scratch),
          mins(form.has_mins ? scales + groups * rows : nullptr),
          codes(reinterpret_cast<std::int8_t*>(scratch + groups * rows * 2)) {}

    std::int64_t groups;
    float* scales;
    float* mins;
    std::int8_t* codes;
};

}  // namespace

std::size_t PreparedColumns::bytes(ElementType weights, std::int64_t depth, std::int64_t columns) {
    const auto elements = to_size(depth * columns);
    const ByteForm* form = byte_form_of(weights);
    if (form == nullptr) return padded(elements * sizeof(float));
    const std::size_t groups = elements / to_size(form->group);
    return padded(elements) + padded(elements / 32 * sizeof(float)) + padded(groups * sizeof(float)) +
           padded(groups * sizeof(std::int32_t)) + arranged_bytes(weights, depth) * to_size(columns);
}

PreparedColumns::PreparedColumns(ElementType weights, std::int64_t depth, std::int64_t columns,
                                 std::byte* memory)
    : type_(weights), form_(byte_form_of(weights)), depth_(depth) {
    if (form_ == nullptr) {
        floats_ = reinterpret_cast<float*>(memory);
        return;
    }
    const auto elements = to_size(depth * columns);
    const std::size_t groups = elements / to_size(form_->group);
    codes_.codes = reinterpret_cast<std::int8_t*>(memory);
    memory += padded(elements);
    codes_.scales = reinterpret_cast<float*>(memory);
    memory += padded(elements / 32 * sizeof(float));
    codes_.sums = reinterpret_cast<float*>(memory);
    memory += padded(groups * sizeof(float));
    codes_.starts = reinterpret_cast<std::int32_t*>(memory);
    arranged_ = memory + padded(groups * sizeof(std::int32_t));
    arranged_bytes_ = arranged_bytes(weights, depth);
}

ActivationRow PreparedColumns::row_of(std::int64_t column) const {
    const std::int64_t start = column * depth_;
    return {codes_.codes + start, codes_.scales + start / 32, codes_.sums + start / form_->group,
            codes_.starts + start / form_->group};
}

std::byte* PreparedColumns::arranged_of(std::int64_t column) const {
    return arranged_ + to_size(column) * arranged_bytes_;
}

void PreparedColumns::set(std::int64_t column, const float* values) {
    if (form_ != nullptr) {
        quantise_activations(activation_type_of(type_), form_->group, values, depth_, row_of(column));
        arrange(column);
        return;
    }
    float* out = floats_ + column * depth_;
    if (type_ == ElementType::f32) {
        std::copy_n(values, depth_, out);
        return;
    }
    std::array<std::uint16_t, 256> halves;
    for (std::int64_t i = 0; i < depth_; i += 256) {
        const std::int64_t n = std::min<std::int64_t>(256, depth_ - i);
        if (type_ == ElementType::f16) {
            kernels::f32_to_f16(values + i, halves.data(), n);
            kernels::f16_to_f32(halves.data(), out + i, n);
        } else {
            kernels::f32_to_bf16(values + i, halves.data(), n);
            kernels::bf16_to_f32(halves.data(), out + i, n);
        }
    }
}

void PreparedColumns::set_blocks(std::int64_t column, const std::byte* blocks) {
    take_activations(activation_type_of(type_), form_->group, blocks, depth_, row_of(column));
    arrange(column);
}

void PreparedColumns::arrange(std::int64_t column) {
    const ActivationRow row = row_of(column);
    kernels::arrange(type_, depth_, {row.codes, row.scales, nullptr}, row.sums, arranged_of(column));
}

std::size_t PreparedColumns::scratch_floats(ElementType weights, std::int64_t depth, int rows) {
    const ByteForm* form = byte_form_of(weights);
    if (form == nullptr) return kernels::kPanelScratchFloats;
    const auto per_row = to_size(depth / form->group * 2 + (depth + 3) / 4);
    return std::max(per_row * static_cast<std::size_t>(rows), kernels::kPanelScratchFloats);
}

void PreparedColumns::multiply(const std::byte* weights, std::ptrdiff_t stride, int rows,
                               std::span<const kernels::PanelColumn> columns, std::int64_t out_offset,
                               float* scratch) const {
    // Packing does not pay off for fewer columns.
    constexpr std::size_t kWorthPacking = 4;
    if (columns.size() >= kWorthPacking &&
        multiply_panels(weights, stride, rows, columns, out_offset, scratch)) {
        return;
    }
    for (std::size_t begin = 0; begin < columns.size();) {
        const auto stride_to = [&](std::size_t i) { return columns[i].out - columns[i - 1].out; };
        std::size_t end = begin + 1;
        while (end < columns.size() && columns[end].index == columns[end - 1].index + 1 &&
               stride_to(end) == stride_to(begin + 1)) {
            ++end;
        }
        const std::ptrdiff_t out_stride = end > begin + 1 ? stride_to(begin + 1) : 0;
        multiply_run(weights, stride, rows, columns[begin].index, static_cast<int>(end - begin),
                     columns[begin].out + out_offset, out_stride, scratch);
        begin = end;
    }
}

bool PreparedColumns::multiply_panels(const std::byte* weights, std::ptrdiff_t stride, int rows,
                                      std::span<const kernels::PanelColumn> columns, std::int64_t out_offset,
                                      float* scratch) const {
    for (int r = 0; r < rows; r += kernels::kPanelRows) {
        const int count = std::min(kernels::kPanelRows, rows - r);
        const std::byte* first = weights + r * stride;
        const bool done =
            form_ == nullptr
                ? kernels::multiply_panel(kernels::FloatPanel{float_format_of(type_), depth_, first, stride,
                                                              count, floats_, columns, out_offset + r,
                                                              scratch})
                : kernels::multiply_panel(kernels::BytePanel{type_,
                                                             depth_,
                                                             first,
                                                             stride,
                                                             count,
                                                             {codes_.codes, codes_.scales, nullptr},
                                                             codes_.sums,
                                                             codes_.starts,
                                                             columns,
                                                             out_offset + r,
                                                             scratch});
        if (!done) return false;
    }
    return true;
}

void PreparedColumns::multiply_run(const std::byte* weights, std::ptrdiff_t stride, int rows,
                                   std::int64_t first, int columns, float* out, std::ptrdiff_t out_stride,
                                   float* scratch) const {
    if (form_ == nullptr) {
        kernels::multiply_tile(kernels::FloatTile{float_format_of(type_), depth_, weights, stride, rows,
                                                  floats_ + first * depth_, depth_, columns, out,
                                                  out_stride});
        return;
    }
    const ActivationRow row = row_of(first);
    const kernels::ByteRows x{row.codes, row.scales, nullptr};
    if (columns == 1 &&
        kernels::multiply_stream(kernels::StreamTile{type_, depth_, weights, stride, rows, x, row.sums,
                                                     row.starts, arranged_of(first), out})) {
        return;
    }
    const UnpackedRows unpacked(scratch, *form_, depth_, rows);
    for (int r = 0; r < rows; ++r) {
        form_->unpack(weights + r * stride, depth_, unpacked.codes + r * depth_,
                      unpacked.scales + r * unpacked.groups,
                      form_->has_mins ? unpacked.mins + r * unpacked.groups : nullptr);
    }
    kernels::multiply_tile(kernels::ByteTile{depth_,
                                             form_->group,
                                             {unpacked.codes, unpacked.scales, unpacked.mins},
                                             rows,
                                             x,
                                             row.sums,
                                             columns,
                                             out,
                                             out_stride});
}

}  // namespace splitscope::cpu
