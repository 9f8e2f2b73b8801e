// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "backends/interface/backend_kind.hpp"

namespace splitscope {

/// OpenBLAS beside the CPU of a machine, sharing its memory; one device, "BLAS".
std::shared_ptr<BackendKind> make_blas_kind();

}  // namespace splitscope
