// SPDX-License-Identifier: MIT
#include "engine/attach/capture_program.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>

namespace splitscope {
namespace {

using Graphs = std::vector<std::shared_ptr<const AttachedGraph>>;

/// Looks for a prompt graph and a single-token graph. Graphs that were only split are support probes.
bool has_both(const Graphs& graphs) {
    const auto has = [&](auto&& wanted) {
        return std::ranges::any_of(
            graphs, [&](const auto& graph) { return graph->purpose != "split" && wanted(graph->tokens); });
    };
    return has([](std::uint64_t tokens) { return tokens > 1; }) &&
           has([](std::uint64_t tokens) { return tokens == 1; });
}

}  // namespace

Capture capture_program(const AttachOptions& options, const JobContext& job) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::uint64_t changes = 0;
    AttachedProgram program(options, [&] {
        const std::lock_guard lock(mutex);
        ++changes;
        changed.notify_all();
    });
    const auto wait_until = [&](auto&& done, std::chrono::milliseconds most) {
        const auto end = std::chrono::steady_clock::now() + most;
        while (!done() && std::chrono::steady_clock::now() < end) {
            std::unique_lock lock(mutex);
            const std::uint64_t seen = changes;
            lock.unlock();
            if (done()) return;
            lock.lock();
            changed.wait_until(lock, job.stop_token(), end, [&] { return changes != seen; });
            if (job.stop_requested()) return;
        }
    };
    const auto ended = [&] { return program.end().has_value(); };
    constexpr std::chrono::hours kAnyTime(24);
    wait_until([&] { return ended() || has_both(program.graphs()); }, kAnyTime);
    const Graphs graphs = program.graphs();
    program.signal(SIGTERM);
    constexpr std::chrono::seconds kGracePeriod(5);
    if (!job.stop_requested()) wait_until(ended, kGracePeriod);
    if (!ended()) program.signal(SIGKILL);
    job.check();
    if (graphs.empty()) {
        throw nothing_seen(program.end().value_or(AttachEnd()), options.program[0]);
    }
    Capture capture;
    capture.program = std::filesystem::path(options.program[0]).filename().string();
    capture.library = graphs.front()->library;
    capture.generation = graphs.front()->generation;
    for (const auto& graph : graphs) {
        capture.generation = std::max(capture.generation, graph->generation);
        capture.graphs.push_back(*graph->captured);
    }
    return capture;
}

}  // namespace splitscope
