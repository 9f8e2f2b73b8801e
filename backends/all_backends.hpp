// SPDX-License-Identifier: MIT
#pragma once

#include "backends/interface/registry.hpp"

namespace splitscope {

/// The kinds of backend that are built in. A program makes this once and passes it to what needs it: kinds
/// keep the drivers that they load.
BackendKinds all_backends();

}  // namespace splitscope
