// SPDX-License-Identifier: MIT
// Panels for processors with AVX2 and without VNNI.
#pragma once

#include "backends/cpu/kernels/panel.hpp"

namespace splitscope::cpu::kernels {

/// As multiply_panel(BytePanel). Requires has_avx2().
bool multiply_panel_avx2(const BytePanel& panel);

}  // namespace splitscope::cpu::kernels
