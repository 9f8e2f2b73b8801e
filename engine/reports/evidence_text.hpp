// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The evidence of one decision in one sentence per fact, e.g. "reads blk.0.attn_q.weight (source 0), which
/// lies in buffer type GPU0; CPU: does not support MUL_MAT with type iq1_m". Empty when there is none.
std::string evidence_text(const Schedule& schedule, const Decision& decision);

/// One backend's refusal, e.g. "GPU0 cannot use buffer type CPU".
std::string refusal_text(const Schedule& schedule, TensorId tensor, const Refusal& refusal,
                         BufferTypeId buffer_type);

/// Name of a backend of the schedule's machine; an en dash for none.
const std::string& backend_name(const Schedule& schedule, BackendId backend);

/// What a pass does, in one sentence, in the words of its generation.
std::string_view pass_purpose(Pass pass, Generation generation);

}  // namespace splitscope
