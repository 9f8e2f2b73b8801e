// SPDX-License-Identifier: MIT
#pragma once

#include "backends/interface/registry.hpp"

namespace splitscope {

/// The built-in kinds of backend. Create once per program and pass on: kinds keep the drivers that they load.
BackendKinds all_backends();

}  // namespace splitscope
