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
    std::optional<Verdict> verdict;      ///< why its memory is not known or it cannot run
    Message unread;                      ///< tensors that no graph reads
};

/// What `inspect --json` prints of a model.
std::string write_inspection_json(const InspectedModel& inspected);
/// What `inspect --json` prints of any other file; `path` as given.
std::string write_inspection_json(const OpenedFile& opened, const std::string& path);

/// Number of nodes per operation.
std::map<std::string, std::int64_t> count_ops(const Graph& graph);
/// Whether the graph was imported from a log, a recording or a dump.
bool was_imported(const OpenedFile& opened);

}  // namespace splitscope
