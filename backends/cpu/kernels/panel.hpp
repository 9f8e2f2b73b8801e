// SPDX-License-Identifier: MIT
// Products of a few dozen weight rows with many columns, for AVX-512 and, of quantised weights, AVX2: rows
// are packed once into scratch memory and then multiplied by every column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/kernels/kernels.hpp"

namespace splitscope::cpu::kernels {

/// Rows of a panel.
inline constexpr int kPanelRows = 32;
/// Scratch memory of a product, 64-byte aligned.
inline constexpr std::size_t kPanelScratchFloats = 13312;

/// A column of a product: its index among the prepared columns, and the address of its first result.
struct PanelColumn {
    std::int64_t index = 0;
    float* out = nullptr;
};

/// columns[c].out[out_offset + r] = Σ_k weights[r][k] · x[columns[c].index · depth + k] for r < rows ≤ 32.
struct FloatPanel {
    FloatFormat format = FloatFormat::f32;
    std::int64_t depth = 0;
    const std::byte* weights = nullptr;
    std::ptrdiff_t weights_stride = 0;
    int rows = 0;
    const float* x = nullptr;
    std::span<const PanelColumn> columns;
    std::int64_t out_offset = 0;
    float* scratch = nullptr;
};

/// As FloatPanel, for quantised weights as stored in the file.
struct BytePanel {
    ElementType type = ElementType::q8_0;
    std::int64_t depth = 0;
    const std::byte* weights = nullptr;
    std::ptrdiff_t weights_stride = 0;
    int rows = 0;
    ByteRows x;
    const float* x_sums = nullptr;           ///< as ByteTile's
    const std::int32_t* x_starts = nullptr;  ///< −128 · Σ codes of each group
    std::span<const PanelColumn> columns;
    std::int64_t out_offset = 0;
    float* scratch = nullptr;
};

/// False if this machine has no such kernel; nothing is computed then.
bool multiply_panel(const FloatPanel& panel);
bool multiply_panel(const BytePanel& panel);

}  // namespace splitscope::cpu::kernels
