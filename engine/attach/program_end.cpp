// SPDX-License-Identifier: MIT
#include "engine/attach/program_end.hpp"

#include "engine/attach/messages.hpp"

namespace splitscope {

Message not_debugged(const AttachEnd& end) {
    if (end.others.empty()) return {};
    return end.others.size() == 1 ? Message(msg::kOtherProcess(end.others[0]))
                                  : msg::kOtherProcesses(end.others.size(), end.others[0]);
}

Error nothing_seen(const AttachEnd& end, const std::string& program) {
    const auto because = [&](const Message& problem, const Message& remedy) {
        return Error(ErrorKind::unsupported, problem, program, remedy);
    };
    if (!end.refusal.empty()) return because(msg::kProgramRefused(end.refusal), msg::kImportItsLog);
    if (!end.problem.empty()) return because(end.problem, msg::kProgramRunsOn);
    if (!end.abort_message.empty()) {
        return because(msg::kAbortedBeforeGraph(end.program.signal, end.abort_message), msg::kSeeItsOutput);
    }
    // It may have failed, or have ggml built in.
    const Message see = end.attached ? msg::kSeeItsOutput() : msg::kSeeOutputOrLinkShared();
    if (end.program.signal != 0) return because(msg::kKilledBeforeGraph(end.program.signal), see);
    if (end.program.exit_code != 0) return because(msg::kEndedBeforeGraph(end.program.exit_code), see);
    if (end.attached) return because(msg::kComputedNoGraph, msg::kGiveWork);
    return because(msg::kNothingSeen, msg::kLinkShared);
}

}  // namespace splitscope
