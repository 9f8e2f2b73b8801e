// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::cpu::kernels {

/// Instruction sets, each including the previous ones. Ignored on machines other than x86.
enum class InstructionSet { sse4, avx2, avx512, vnni };

/// The limit in SPLITSCOPE_INSTRUCTIONS ("sse4", "avx2", "avx512", "vnni"), with which tests emulate older
/// machines; no limit if it is not set.
InstructionSet allowed_instructions();

/// Applies allowed_instructions() to the vector library. Call before any kernel runs.
void limit_instructions();

}  // namespace splitscope::cpu::kernels
