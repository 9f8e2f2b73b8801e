// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"
#include "engine/tensor/op_query.hpp"

namespace splitscope {

/// One sentence, e.g. "does not support MUL_MAT with type iq1_m (blk.0.attn_q.weight)".
Message describe(const OpSupport& support, const OpQuery& query);

}  // namespace splitscope
