// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/models/placement/program_defaults.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/session/session.hpp"
#include "engine/support/job.hpp"

namespace splitscope {

/// How to schedule a file. Empty members keep the file's or saved session's values; defaults are the machine
/// beside a graph file, else a simulated GPU and the CPU, and the newest generation.
struct OpenOptions {
    /// Graph of a log or recording with several graphs, from 1; 0 = the last decode graph.
    std::size_t graph_number = 0;
    /// Device presets, accelerators first: "rtx-3090", or "rtx-3090:20" for 20 GiB of memory. Together with
    /// `machine` or `computer`, the names of its backends to use; "none" = only the CPU; "this" alone = the
    /// devices of this computer.
    std::vector<std::string> devices{};
    std::filesystem::path machine{};  ///< a machine file (docs/file-formats.md)
    /// Devices of this computer by name, such as "blas"; cannot be combined with `machine`.
    std::vector<std::string> computer{};
    std::optional<Generation> generation{};
    /// The program whose defaults place a model; empty = llama-server's, or those of a saved session.
    std::optional<Program> like{};
    KindOptions kind_options{};  ///< options of the backend kinds, by name
    /// The backend kinds that compute; null = all built-in kinds. Share one object between sessions, because
    /// kinds keep the drivers that they load.
    BackendKinds kinds{};
};

/// Opens a model (GGUF), graph, scheduler log, recording, dump or saved session and assigns a machine.
/// Session::model_options, machine and generation may be changed before schedule(). Throws Error.
Session open_with(const std::filesystem::path& path, const OpenOptions& options = {},
                  const JobContext& job = {});

}  // namespace splitscope
