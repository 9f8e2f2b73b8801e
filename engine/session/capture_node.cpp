// SPDX-License-Identifier: MIT
#include "engine/session/capture_node.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {

TensorCapture capture_node(const Session& session, RunOptions options, std::uint64_t computation,
                           const TensorIdentity& node, const JobContext& job) {
    std::optional<TensorCapture> captured;
    std::exception_ptr problem;
    std::stop_source found;
    const std::stop_callback forward(job.stop_token(), [&found] { found.request_stop(); });

    RunObserver observer;
    Debugger* debugger = nullptr;
    observer.debugger = std::make_shared<Debugger>([&](const std::shared_ptr<const DebugStop>& stop) {
        if (!stop) return;
        if (stop->computation < computation) {
            debugger->resume();
            return;
        }
        // Exceptions must not leave the run's callback.
        try {
            if (stop->computation == computation) captured = debugger->read(node);
        } catch (...) {
            problem = std::current_exception();
        }
        found.request_stop();
    });
    debugger = observer.debugger.get();
    Breakpoint here;
    here.text = text_of(node);
    debugger->add(here);
    // At least one computation for the prompt, then one per token.
    options.tokens = std::max(options.tokens, static_cast<std::uint32_t>(computation) + 1);
    options.stop_at_end = false;
    run_model(session, options, observer, JobContext(found.get_token()));
    job.check();
    if (problem) std::rethrow_exception(problem);
    // Views are captured at the first node that reads them, which may overwrite their memory.
    if (!captured || captured->state != TensorState::computed) {
        throw Error(ErrorKind::unknown, msg::kNotComputedThere, text_of(node), msg::kChooseOtherNode);
    }
    return std::move(*captured);
}

}  // namespace splitscope
