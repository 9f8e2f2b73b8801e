// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {

void run_user_assignments(SchedulingContext& context, std::span<const Assignment> assignments) {
    const Cause cause{context.policy().labels_user_assignments ? CauseKind::usr : CauseKind::none, 0};
    for (const Assignment& assignment : assignments) {
        if (!assignment.tensor.valid() || assignment.tensor.index() >= context.graph().tensors.size()) {
            context.stop(ErrorKind::unknown,
                         fmt::format("an assignment names tensor {}, the graph has {}",
                                     assignment.tensor.value, context.graph().tensors.size()),
                         {});
        }
        if (!assignment.backend.valid() || assignment.backend.index() >= context.backend_count()) {
            context.stop(ErrorKind::unknown,
                         fmt::format("an assignment names backend {}, the machine has {}",
                                     assignment.backend.value, context.backend_count()),
                         assignment.tensor);
        }
        context.decide(Pass::user, assignment.tensor, assignment.backend, cause);
    }
    context.end_pass(Pass::user);
}

}  // namespace splitscope
