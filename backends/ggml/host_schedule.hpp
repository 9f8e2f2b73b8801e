// SPDX-License-Identifier: MIT
#pragma once

#include "backends/ggml/facts_of_library.hpp"
#include "backends/ggml/host_tensors.hpp"
#include "backends/ggml/library.hpp"
#include "backends/ggml/protocol.hpp"

namespace splitscope::ggml {

/// Schedules a graph with the engine's own scheduler, on temporary backends and without computing it
/// (attach.md §2.2). Throws HostError.
ScheduleAnswer schedule_by_engine(const Library& library, const KnownLibrary& known, DraftBuffers& drafts,
                                  const ScheduleQuestion& question);

}  // namespace splitscope::ggml
