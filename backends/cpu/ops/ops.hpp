// SPDX-License-Identifier: MIT
// The kernels of each family, for the table in op_table.cpp. The comment on each `kernel_*` function defines
// what the operation computes.
#pragma once

#include <span>

#include "backends/cpu/op_table.hpp"

namespace splitscope::cpu {

std::span<const KernelRow> arrange_kernels();
std::span<const KernelRow> attention_kernels();
std::span<const KernelRow> binary_kernels();
std::span<const KernelRow> convolution_kernels();
std::span<const KernelRow> copy_kernels();
std::span<const KernelRow> deepseek_kernels();
std::span<const KernelRow> elementwise_kernels();
std::span<const KernelRow> glu_kernels();
std::span<const KernelRow> im2col_kernels();
std::span<const KernelRow> linear_kernels();
std::span<const KernelRow> linear_attention_kernels();
std::span<const KernelRow> masks_kernels();
std::span<const KernelRow> more_norms_kernels();
std::span<const KernelRow> mul_mat_kernels();
std::span<const KernelRow> norm_kernels();
std::span<const KernelRow> reduce_kernels();
std::span<const KernelRow> resample_kernels();
std::span<const KernelRow> rope_kernels();
std::span<const KernelRow> rows_ops_kernels();
std::span<const KernelRow> set_kernels();
std::span<const KernelRow> soft_max_kernels();
std::span<const KernelRow> sort_kernels();
std::span<const KernelRow> state_space_kernels();
std::span<const KernelRow> unary_kernels();

}  // namespace splitscope::cpu
