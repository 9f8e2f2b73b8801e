// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/models/model.hpp"
#include "engine/planning/verdict.hpp"
#include "engine/session/session.hpp"

namespace splitscope {

/// A model file, with or without graph builder.
struct InspectedModel {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;  ///< null when it cannot be built
    Message why_not;                     ///< why it cannot be built or run; empty when it can
    std::optional<Verdict> verdict;  ///< why its needs are not known or it cannot run; none when all is well
    Message unread;                  ///< tensors that no graph reads
};

/// What `inspect --json` prints of a model.
std::string write_inspection_json(const InspectedModel& inspected);
/// The same of another file; `path` as it was given.
std::string write_inspection_json(const OpenedFile& opened, const std::string& path);

/// Nodes of each operation.
std::map<std::string, std::int64_t> count_ops(const Graph& graph);
/// Whether the file's graph was found in it: a log, a recording or a dump.
bool was_imported(const OpenedFile& opened);

}  // namespace splitscope
