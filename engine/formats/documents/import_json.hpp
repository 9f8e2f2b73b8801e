// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/json_writer.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/scheduler/recorded.hpp"
#include "engine/session/replay_on_model.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// The simulated schedule of an imported graph, compared with the recorded one.
struct ComparedImport {
    std::shared_ptr<const Schedule> ours;
    RecordedComparison compared;
};

/// What `import --json` prints; `comparison` and `model` are null when absent.
std::string write_import_json(const OpenedFile& opened, const std::optional<ComparedImport>& comparison,
                              const std::optional<ModelReplay>& model);

/// Writes the contents of a log, recording or dump as members of the current object.
void write_opened(JsonWriter& json, const OpenedFile& opened);

/// Number of sources of all nodes.
std::size_t source_count(const Graph& graph);

/// What `import --json` prints of a table of supported operations.
std::string write_op_support_json(const std::vector<OpSupportTable>& tables,
                                  const std::vector<Message>& notes);
/// Number of cases that the table covers.
std::size_t case_count(const OpSupportTable& table);

}  // namespace splitscope
