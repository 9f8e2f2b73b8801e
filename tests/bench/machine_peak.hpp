// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::bench {

/// Peak rates of this machine, measured: the roofs of the roofline.
struct MachinePeak {
    double bytes_per_second = 0;  ///< of reading memory
    double flops = 0;             ///< of fused multiply-add in F32, two operations each
};
MachinePeak measure_peak(int threads);

}  // namespace splitscope::bench
