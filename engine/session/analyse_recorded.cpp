// SPDX-License-Identifier: MIT
#include "engine/session/analyse_recorded.hpp"

#include "backends/simulated/simulated_machine.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/scheduler/recorded_schedule.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

RecordedAnalysis analyse_recorded(const Session& session, const JobContext& job) {
    if (!session.file->recorded) throw Error(ErrorKind::bad_file, msg::kNoRecordedGraph, session.file->path);
    RecordedAnalysis result;
    result.ours = analyse(session, job);
    result.comparison = compare_with_recorded(*result.ours->schedule, *session.file->recorded);
    if (result.comparison.same() && !result.ours->schedule->error) {
        result.theirs = result.ours;
        return result;
    }
    auto theirs = std::make_shared<Analysis>(*result.ours);
    const SimulatedMachine simulated(theirs->machine, theirs->graph.get(), EmptyTensors::have_no_bytes);
    theirs->schedule = std::make_shared<const Schedule>(schedule_as_recorded(
        theirs->graph, simulated.live(), session.generation, *session.file->recorded, job));
    theirs->plan = plan_allocation(*theirs->schedule, simulated.live(), true, job);
    result.theirs = std::move(theirs);
    return result;
}

}  // namespace splitscope
