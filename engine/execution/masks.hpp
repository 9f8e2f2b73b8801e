// SPDX-License-Identifier: MIT
#pragma once

#include "engine/tensor/graph_view.hpp"

namespace splitscope {

/// Whether negative infinities in a tensor may be those of a mask: it is an input, such as an attention mask,
/// or is computed from inputs and constants by operations that make or pass on masks. In results of other
/// operations, such as the sums of a residual stream, they are errors.
bool may_hold_mask(const GraphView& graph, TensorId tensor);

}  // namespace splitscope
