// SPDX-License-Identifier: MIT
#include "backends/cpu/product.hpp"

#include <algorithm>

#include "backends/cpu/activations_q8.hpp"
#include "backends/cpu/kernels/kernels.hpp"
#include "engine/tensor/quants/half.hpp"

namespace splitscope::cpu {
namespace {

std::size_t to_size(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// So that every part starts at a cache line.
std::size_t padded(std::size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

kernels::FloatFormat float_format_of(ElementType type) {
    if (type == ElementType::f16) return kernels::FloatFormat::f16;
    return type == ElementType::bf16 ? kernels::FloatFormat::bf16 : kernels::FloatFormat::f32;
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

bool is_weight_type(ElementType type) {
    return type == ElementType::f32 || type == ElementType::f16 || type == ElementType::bf16 ||
           byte_form_of(type) != nullptr;
}

std::size_t PreparedColumns::bytes(ElementType weights, std::int64_t depth, std::int64_t columns) {
    const auto elements = to_size(depth * columns);
    if (byte_form_of(weights) == nullptr) return padded(elements * sizeof(float));
    return padded(elements) + padded(elements / 32 * sizeof(float)) + padded(elements / 16 * sizeof(float));
}

PreparedColumns::PreparedColumns(ElementType weights, std::int64_t depth, std::int64_t columns,
                                 std::byte* memory)
    : type_(weights), form_(byte_form_of(weights)), depth_(depth) {
    if (form_ == nullptr) {
        floats_ = reinterpret_cast<float*>(memory);
        return;
    }
    const auto elements = to_size(depth * columns);
    codes_ = reinterpret_cast<std::int8_t*>(memory);
    memory += padded(elements);
    scales_ = reinterpret_cast<float*>(memory);
    memory += padded(elements / 32 * sizeof(float));
    sums_ = reinterpret_cast<float*>(memory);
}

void PreparedColumns::set(std::int64_t column, const float* values) {
    const std::int64_t start = column * depth_;
    if (form_ != nullptr) {
        quantise_activations(activation_type_of(type_), form_->group, values, depth_, codes_ + start,
                             scales_ + start / 32, sums_ + start / form_->group);
        return;
    }
    float* out = floats_ + start;
    if (type_ == ElementType::f16) {
        for (std::int64_t i = 0; i < depth_; ++i)
            out[i] = splitscope::f16_to_f32(splitscope::f32_to_f16(values[i]));
    } else if (type_ == ElementType::bf16) {
        for (std::int64_t i = 0; i < depth_; ++i) {
            out[i] = splitscope::bf16_to_f32(splitscope::f32_to_bf16(values[i]));
        }
    } else {
        std::copy_n(values, depth_, out);
    }
}

std::size_t PreparedColumns::scratch_floats(ElementType weights, std::int64_t depth, int rows) {
    const ByteForm* form = byte_form_of(weights);
    if (form == nullptr) return 0;
    const auto per_row = to_size(depth / form->group * 2 + (depth + 3) / 4);
    return per_row * static_cast<std::size_t>(rows);
}

void PreparedColumns::multiply(const std::byte* weights, std::ptrdiff_t stride, int rows, std::int64_t first,
                               int columns, float* out, std::ptrdiff_t out_stride, float* scratch) const {
    if (form_ == nullptr) {
        kernels::multiply_tile(kernels::FloatTile{float_format_of(type_), depth_, weights, stride, rows,
                                                  floats_ + first * depth_, depth_, columns, out,
                                                  out_stride});
        return;
    }
    const std::int64_t start = first * depth_;
    const kernels::ByteRows x{codes_ + start, scales_ + start / 32, nullptr};
    const float* x_sums = sums_ + start / form_->group;
    if (columns == 1 &&
        kernels::multiply_stream(kernels::StreamTile{type_, depth_, weights, stride, rows, x, x_sums, out})) {
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
                                             x_sums,
                                             columns,
                                             out,
                                             out_stride});
}

}  // namespace splitscope::cpu
