// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kBlasWithCpu{"blas.with-cpu", "BLAS library with the CPU"};
inline constexpr Sentence<> kBlasSharesNoMemory{"blas.shares-no-memory",
                                                "no CPU of the machine shares its memory"};
inline constexpr Sentence<> kBlasNeedsLargerProducts{"blas.needs-larger-products",
                                                     "give a prompt of 32 tokens or more: BLAS computes only "
                                                     "products whose three dimensions are all 32 or more"};

}  // namespace splitscope::msg
