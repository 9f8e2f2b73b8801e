// SPDX-License-Identifier: MIT
#pragma once

#include "backends/interface/registry.hpp"

namespace splitscope {

/// The built-in kinds of backend. Create once per program and share: kinds keep loaded drivers.
BackendKinds all_backends();

}  // namespace splitscope
