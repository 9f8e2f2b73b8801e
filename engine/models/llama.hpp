// SPDX-License-Identifier: MIT
#pragma once

#include "engine/models/hyperparameters.hpp"
#include "engine/models/model.hpp"

namespace splitscope {

/// The llama architecture, dense: RMS norms, grouped-query attention with rotary positions, SwiGLU.
ModelGraph build_llama(const GgufFile& file, const Hyperparameters& hyperparameters,
                       const ModelGraphOptions& options, const ModelPlacement& placement);

}  // namespace splitscope
