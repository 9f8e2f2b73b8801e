// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runnable_session.hpp"

#include <cctype>
#include <functional>

#include <fmt/format.h>

#include "engine/formats/gguf.hpp"
#include "engine/messages/render.hpp"
#include "engine/models/messages.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

bool succeeds(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return false;
    }
}

/// Whether the file is a readable model that cannot be opened, whatever the machine.
bool is_unusable_model(const std::string& path, const JobContext& job) {
    return !path.empty() && succeeds([&] { GgufFile::open(path, job); }) &&
           !succeeds([&] { open_session(path, job); });
}

}  // namespace

Session make_runnable_session(const SessionOptions& options, const JobContext& job) {
    Session session;
    try {
        session = options.make_session(job);
    } catch (const Error& error) {
        const bool of_file = error.kind() == ErrorKind::bad_file || error.kind() == ErrorKind::unsupported;
        if (!of_file || !is_unusable_model(options.file, job)) throw;
        throw Error(ErrorKind::placement, error.problem(), error.place(), error.remedy());
    }
    if (const auto reason = why_not_runnable(session)) {
        const bool impossible =
            reason->text() == &msg::kNoSuchCaches || reason->text() == &msg::kNoEngineLoads;
        throw Error(impossible ? ErrorKind::placement : ErrorKind::usage, problem_of(*reason),
                    session.file->path.filename(), how_to_run(*reason));
    }
    return session;
}

Message problem_of(const Message& reason) {
    // A sentence in the window.
    std::string text = english(reason);
    if (text.ends_with('.')) text.pop_back();
    if (!text.empty())
        text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
    return Message::verbatim(text);
}

void note_unused_sequences(Console& console, const PlacementSwitches& switches) {
    for (const char* const name : {"--parallel", "--kv-unified"})
        if (switches.given(name)) console.note(fmt::format("{} has no effect: a run has one sequence", name));
}

}  // namespace splitscope::cli
