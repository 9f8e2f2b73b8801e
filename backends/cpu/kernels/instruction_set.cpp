// SPDX-License-Identifier: MIT
#include "backends/cpu/kernels/instruction_set.hpp"

#include <cstdlib>
#include <string_view>

#include <hwy/targets.h>

namespace splitscope::cpu::kernels {
namespace {

InstructionSet from_environment() {
    const char* value = std::getenv("SPLITSCOPE_INSTRUCTIONS");
    const std::string_view name = value == nullptr ? "" : value;
    if (name == "sse4") return InstructionSet::sse4;
    if (name == "avx2") return InstructionSet::avx2;
    if (name == "avx512") return InstructionSet::avx512;
    return InstructionSet::vnni;
}

}  // namespace

InstructionSet allowed_instructions() {
    static const InstructionSet allowed = from_environment();
    return allowed;
}

void limit_instructions() {
#if HWY_ARCH_X86
    // Better targets have lower bits.
    static const bool limited = [] {
        const InstructionSet allowed = allowed_instructions();
        if (allowed == InstructionSet::sse4) hwy::DisableTargets(HWY_SSE4 - 1);
        if (allowed == InstructionSet::avx2) hwy::DisableTargets(HWY_AVX2 - 1);
        return true;
    }();
    static_cast<void>(limited);
#endif
}

}  // namespace splitscope::cpu::kernels
