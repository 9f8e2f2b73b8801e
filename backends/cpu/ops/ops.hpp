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

// elementwise.cpp
extern const OpKernel kSqr, kSqrt, kLog, kSin, kCos, kClamp, kLeakyRelu, kFill, kAdd1, kAddId;
// reduce.cpp
extern const OpKernel kSum, kSumRows, kMean, kCumsum, kArgmax, kCountEqual, kRepeatBack, kCrossEntropyLoss;
// sort.cpp
extern const OpKernel kArgsort, kTopK;
// arrange.cpp
extern const OpKernel kConcat, kRepeat, kPad, kPadReflect, kRoll, kWinPart, kWinUnpart, kGetRelPos;
// masks.cpp
extern const OpKernel kDiag, kDiagMask, kTri, kArange, kTimestepEmbedding, kAddRelPos;
// set.cpp
extern const OpKernel kSet, kAcc;
// more_norms.cpp
extern const OpKernel kGroupNorm, kL2Norm, kRmsNormBack, kSiluBack, kSoftMaxBack;
// linear.cpp
extern const OpKernel kOutProd, kSolveTri, kGetRowsBack;
// convolution.cpp: CONV_2D and CONV_2D_DW share one
extern const OpKernel kConv2d, kConv3d, kConvTranspose1d, kConvTranspose2d;
// im2col.cpp
extern const OpKernel kIm2col, kIm2col3d, kCol2im1d;
// resample.cpp: POOL_1D and POOL_2D share one
extern const OpKernel kPool, kUpscale;
// state_space.cpp
extern const OpKernel kSsmConv, kSsmScan;
// linear_attention.cpp
extern const OpKernel kWkv6, kWkv7, kGatedLinearAttention, kGatedDeltaNet;
// deepseek.cpp
extern const OpKernel kLightningIndexer, kHcPre, kHcPost, kHcComb;

}  // namespace splitscope::cpu
