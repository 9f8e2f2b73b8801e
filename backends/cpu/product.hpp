// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/cpu/activations_q8.hpp"
#include "backends/cpu/kernels/panel.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/quants/byte_form.hpp"

namespace splitscope::cpu {

/// The right-hand columns of a product, prepared for the kernels of the weight type: floats (rounded to the
/// precision of the weights), or codes with scales. Stored in a node's shared memory.
class PreparedColumns {
 public:
    PreparedColumns(ElementType weights, std::int64_t depth, std::int64_t columns, std::byte* memory);
    static std::size_t bytes(ElementType weights, std::int64_t depth, std::int64_t columns);

    /// Sets a column from `depth` floats.
    void set(std::int64_t column, const float* values);
    /// Sets a column from a row of the weights' activation_type_of(); quantised weights only.
    void set_blocks(std::int64_t column, const std::byte* blocks);

    /// columns[c].out[out_offset + r] for `rows` weight rows from `weights` on, `stride` bytes apart.
    /// `scratch` has scratch_floats() for at least as many rows.
    void multiply(const std::byte* weights, std::ptrdiff_t stride, int rows,
                  std::span<const kernels::PanelColumn> columns, std::int64_t out_offset,
                  float* scratch) const;
    /// Scratch memory to unpack or pack `rows` weight rows.
    static std::size_t scratch_floats(ElementType weights, std::int64_t depth, int rows);

 private:
    ActivationRow row_of(std::int64_t column) const;
    std::byte* arranged_of(std::int64_t column) const;
    /// Fills arranged_of() from row_of().
    void arrange(std::int64_t column);
    /// For columns that are consecutive both here and in the result.
    void multiply_run(const std::byte* weights, std::ptrdiff_t stride, int rows, std::int64_t first,
                      int columns, float* out, std::ptrdiff_t out_stride, float* scratch) const;
    bool multiply_panels(const std::byte* weights, std::ptrdiff_t stride, int rows,
                         std::span<const kernels::PanelColumn> columns, std::int64_t out_offset,
                         float* scratch) const;

    ElementType type_;
    const ByteForm* form_;
    std::int64_t depth_;
    float* floats_ = nullptr;
    ActivationRow codes_;            ///< of the first column; others follow
    std::byte* arranged_ = nullptr;  ///< as codes_, for kernels::arrange()
    std::size_t arranged_bytes_ = 0;
};

}  // namespace splitscope::cpu
