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

/// How our schedule of a file's graph differs from what was recorded.
struct ComparedImport {
    std::shared_ptr<const Schedule> ours;
    RecordedComparison compared;
};

/// What `import --json` prints; without a comparison or a model of the graph these are null.
std::string write_import_json(const OpenedFile& opened, const std::optional<ComparedImport>& comparison,
                              const std::optional<ModelReplay>& model);

/// What a log, recording or dump holds, as members of the object at hand.
void write_opened(JsonWriter& json, const OpenedFile& opened);

/// Sources of all nodes.
std::size_t source_count(const Graph& graph);

/// What `import --json` prints of a table of supported operations.
std::string write_op_support_json(const std::vector<OpSupportTable>& tables,
                                  const std::vector<Message>& notes);
/// Cases that the table has a row for.
std::size_t case_count(const OpSupportTable& table);

}  // namespace splitscope
