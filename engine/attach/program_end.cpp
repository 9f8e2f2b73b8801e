// SPDX-License-Identifier: MIT
#include "engine/attach/program_end.hpp"

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

void throw_nothing_seen(const AttachEnd& end, const std::string& program) {
    const auto because = [&](const Message& problem, const Message& remedy) {
        return Error(ErrorKind::unsupported, problem, program, remedy);
    };
    if (!end.refusal.empty()) throw because(msg::kProgramRefused(end.refusal), msg::kImportItsLog);
    if (!end.problem.empty()) throw because(end.problem, msg::kProgramRunsOn);
    if (!end.last_words.empty()) {
        throw because(msg::kAbortedBeforeGraph(end.program.signal, end.last_words), msg::kSeeItsOutput);
    }
    if (end.program.signal != 0)
        throw because(msg::kKilledBeforeGraph(end.program.signal), msg::kSeeItsOutput);
    if (end.program.exit_code != 0) {
        throw because(msg::kEndedBeforeGraph(end.program.exit_code), msg::kSeeItsOutput);
    }
    if (end.attached) throw because(msg::kComputedNoGraph, msg::kGiveWork);
    throw because(msg::kNothingSeen, msg::kLinkShared);
}

}  // namespace splitscope
