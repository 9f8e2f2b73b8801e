// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

/// OpenBLAS as one device, "BLAS", which computes in the CPU's memory.
std::shared_ptr<BackendKind> make_blas_kind();

}  // namespace splitscope
