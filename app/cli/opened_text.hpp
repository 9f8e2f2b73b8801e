// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "app/cli/console.hpp"
#include "engine/formats/json_writer.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/replay_on_model.hpp"
#include "engine/session/session.hpp"

namespace splitscope::cli {

/// What a log, recording or dump holds: its graphs, and what had to be assumed of the one opened.
void print_opened(Console& console, const OpenedFile& opened, std::size_t max_rows);
/// The same as members of the object at hand.
void write_opened(JsonWriter& json, const OpenedFile& opened);

/// How our schedule of a graph differs from what was recorded.
void print_compared(Console& console, const Schedule& ours, const RecordedComparison& compared,
                    std::size_t max_rows);
/// The same as a value.
void write_compared(JsonWriter& json, const Schedule& ours, const RecordedComparison& compared);

/// The recorded graph beside the one built from its model.
void print_replayed(Console& console, const ModelReplay& replay, std::size_t max_rows);
/// The same as a value.
void write_replayed(JsonWriter& json, const ModelReplay& replay);

}  // namespace splitscope::cli
