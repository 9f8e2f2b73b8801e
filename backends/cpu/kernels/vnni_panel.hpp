// SPDX-License-Identifier: MIT
#pragma once

#include "backends/cpu/kernels/panel.hpp"

namespace splitscope::cpu::kernels {

/// As multiply_panel(BytePanel). Requires has_vnni().
void multiply_panel_vnni(const BytePanel& panel);

}  // namespace splitscope::cpu::kernels
