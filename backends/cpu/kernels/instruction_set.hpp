// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::cpu::kernels {

/// What the kernels may use, each including those before it. Machines that are no x86 ignore it.
enum class InstructionSet { sse4, avx2, avx512, vnni };

/// The environment variable SPLITSCOPE_INSTRUCTIONS ("sse4", "avx2", "avx512", "vnni"), by which tests run as
/// on lesser machines; everything when it is not set.
InstructionSet allowed_instructions();

/// Makes the vector library keep to allowed_instructions(). Before any kernel runs.
void limit_instructions();

}  // namespace splitscope::cpu::kernels
