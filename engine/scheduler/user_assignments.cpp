// SPDX-License-Identifier: MIT

#include "engine/scheduler/messages.hpp"
#include "engine/scheduler/scheduling_context.hpp"

namespace splitscope {

void run_user_assignments(SchedulingContext& context, std::span<const Assignment> assignments) {
    const Cause cause{context.policy().labels_user_assignments ? CauseKind::usr : CauseKind::none, 0};
    for (const Assignment& assignment : assignments) {
        if (!assignment.tensor.valid() || assignment.tensor.index() >= context.graph().tensors.size()) {
            context.stop(ErrorKind::unknown,
                         msg::kAssignmentTensor(assignment.tensor.value, context.graph().tensors.size()), {});
        }
        if (!assignment.backend.valid() || assignment.backend.index() >= context.backend_count()) {
            context.stop(ErrorKind::unknown,
                         msg::kAssignmentBackend(assignment.backend.value, context.backend_count()),
                         assignment.tensor);
        }
        const Machine& machine = *context.live().machine;
        if (!machine.uses(assignment.backend)) {
            context.stop(ErrorKind::placement,
                         msg::kAssignmentUnused(machine.backends[assignment.backend.index()].name),
                         assignment.tensor);
        }
        context.decide(Pass::user, assignment.tensor, assignment.backend, cause);
    }
    context.end_pass(Pass::user);
}

}  // namespace splitscope
