// SPDX-License-Identifier: MIT
// The kernels of each family, for the table in op_table.cpp. The sources behind `kernel_*` say what the
// operation computes.
#pragma once

#include "backends/cpu/op_table.hpp"

namespace splitscope::cpu {

// binary.cpp
extern const OpKernel kAdd;
extern const OpKernel kSub;
extern const OpKernel kMul;
extern const OpKernel kDiv;
extern const OpKernel kScale;

// copy.cpp
extern const OpKernel kCopy;  ///< CPY, CONT, DUP

// rows_ops.cpp
extern const OpKernel kGetRows;
extern const OpKernel kSetRows;

extern const OpKernel kUnary;
extern const OpKernel kGlu;
extern const OpKernel kNorm;
extern const OpKernel kRmsNorm;
extern const OpKernel kRope;
extern const OpKernel kRopeBack;
extern const OpKernel kSoftMax;
extern const OpKernel kMulMat;
extern const OpKernel kMulMatId;
extern const OpKernel kFlashAttention;

}  // namespace splitscope::cpu
