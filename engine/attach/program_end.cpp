// SPDX-License-Identifier: MIT
#include "engine/attach/program_end.hpp"

#include "engine/attach/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

void throw_nothing_seen(const AttachEnd& end, const std::string& program) {
    const auto because = [&](const Message& problem, const Message& remedy) {
        throw Error(ErrorKind::unsupported, problem, program, remedy);
    };
    if (!end.refusal.empty()) because(msg::kProgramRefused(end.refusal), msg::kImportItsLog);
    if (!end.problem.empty()) because(Message::verbatim(end.problem), msg::kProgramRunsOn);
    if (!end.last_words.empty()) {
        because(msg::kAbortedBeforeGraph(end.program.signal, end.last_words), msg::kSeeItsOutput);
    }
    if (end.program.signal != 0) because(msg::kKilledBeforeGraph(end.program.signal), msg::kSeeItsOutput);
    if (end.program.exit_code != 0) {
        because(msg::kEndedBeforeGraph(end.program.exit_code), msg::kSeeItsOutput);
    }
    if (end.attached) because(msg::kNothingComputed, msg::kGiveWork);
    because(msg::kNothingSeen, msg::kLinkShared);
}

}  // namespace splitscope
