// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace splitscope::ui {

struct OpParam {
    QString name;  ///< ggml's name, or "[3]" if the operation has none
    QString value;
};

/// The named parameters of a node's operation, and non-zero ones without a name.
std::vector<OpParam> op_params_of(const Tensor& tensor);

}  // namespace splitscope::ui
