// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string_view>

#include "engine/scheduler/schedule.hpp"

namespace splitscope::ui {

/// Engine text is UTF-8.
inline QString to_text(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString bytes_text(std::uint64_t bytes);
QString count_text(std::uint64_t count);  ///< with thousands separators

/// "57 nodes, 36 views": views are nodes that compute nothing, which other counts leave out.
QString nodes_text(std::size_t computing, std::size_t views);

/// A tensor's name, or "#12" if it has none.
QString tensor_label(const Schedule& schedule, TensorId tensor);
/// "MUL_MAT", "UNARY silu": operation with kind.
QString op_label(const Tensor& tensor);
/// "f32 2048 × 32".
QString shape_label(const Tensor& tensor);
/// Non-zero parameters of the operation, as integers or fractions: "[0] 64 · [5] 1e-05"; empty if all are
/// zero.
QString op_params_label(const Tensor& tensor);

}  // namespace splitscope::ui
