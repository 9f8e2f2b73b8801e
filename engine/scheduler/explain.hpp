// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "engine/messages/message.hpp"
#include "engine/scheduler/schedule.hpp"

namespace splitscope {

// Schedule records as messages, shared by panels, reports, logs and the command line.

/// e.g. "follows the weights in source 0".
Message explain(Cause cause);

/// The purpose of a pass, in the terms of its generation.
Message pass_purpose(Pass pass, Generation generation);

/// Why a backend refused, without its name, e.g. "cannot use buffer type CPU". `buffer_type` is that of the
/// decision's evidence.
Message explain(const Schedule& schedule, TensorId tensor, const Refusal& refusal, BufferTypeId buffer_type);

/// The evidence of one decision, one sentence per fact, e.g. "reads blk.0.attn_q.weight (source 0), which
/// resides in buffer type GPU0; CPU does not support MUL_MAT with type iq1_m". May be empty. `name` gives the
/// name of a tensor, by default its own.
Message evidence_of(const Schedule& schedule, const Decision& decision,
                    const std::function<std::string(TensorId)>& name = {});

}  // namespace splitscope
