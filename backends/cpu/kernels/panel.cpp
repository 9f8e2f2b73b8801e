// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/panel.hpp"

#include "backends/cpu/kernels/avx2_panel.hpp"
#include "backends/cpu/kernels/avx2_stream.hpp"
#include "backends/cpu/kernels/vnni.hpp"
#include "backends/cpu/kernels/vnni_panel.hpp"

namespace splitscope::cpu::kernels {

bool multiply_panel(const BytePanel& panel) {
    if (has_vnni()) {
        multiply_panel_vnni(panel);
        return true;
    }
    return has_avx2() && multiply_panel_avx2(panel);
}

}  // namespace splitscope::cpu::kernels
