// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "engine/formats/capture_json.hpp"
#include "engine/session/session.hpp"

namespace splitscope::test {

/// The recording of a program that decided like the analysis.
inline CapturedGraph captured_graph_of(const Analysis& analysis) {
    CapturedGraph captured;
    captured.purpose = "decode";
    captured.graph = *analysis.graph;
    captured.machine = *analysis.machine;
    for (const MachineBackend& backend : analysis.machine->backends)
        captured.recorded.backends.push_back(backend.name);
    captured.recorded.backend = analysis.schedule->backend;
    captured.recorded.splits = analysis.schedule->splits;
    captured.recorded.n_copies = analysis.schedule->n_copies;
    return captured;
}

inline Capture capture_of(const Analysis& analysis) {
    Capture capture;
    capture.program = "some-program";
    capture.generation = analysis.session.generation;
    capture.graphs.push_back(captured_graph_of(analysis));
    return capture;
}

}  // namespace splitscope::test
