// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/stream_distance.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace splitscope::cpu::kernels {
namespace {

bool is_zen5() {
#if defined(__x86_64__)
    constexpr unsigned kFamilyZen5 = 0x1A;
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0 || ebx != signature_AMD_ebx) return false;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return false;
    const unsigned base = eax >> 8 & 0xF;
    const unsigned extended = eax >> 20 & 0xFF;
    return base + extended == kFamilyZen5;
#else
    return false;
#endif
}

}  // namespace

bool reads_single_rows_best() {
    static const bool best = is_zen5();
    return best;
}

}  // namespace splitscope::cpu::kernels
