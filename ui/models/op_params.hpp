// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope::ui {

struct ShownParam {
    QString name;  ///< ggml's name, or "[3]" if the operation has none
    QString value;
};

/// The parameters of a node's operation: all named ones, and unnamed ones other than 0.
std::vector<ShownParam> op_params_of(const Tensor& tensor);

}  // namespace splitscope::ui
