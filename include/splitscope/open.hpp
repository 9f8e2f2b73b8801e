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

/// On what a file is to be scheduled. What is left empty stays as the file, or a saved session, has it: the
/// machine found beside a graph, else a simulated GPU and the CPU, and the newest generation.
struct OpenOptions {
    /// Of a log or recording with several graphs, counted from 1; 0 = the last decode.
    std::size_t graph_number = 0;
    /// Devices by preset, accelerators first: "rtx-3090", or "rtx-3090:20" for 20 GiB of its memory. Beside
    /// `machine` or `computer`, names of its backends to use instead; "none" = only the CPU; "this" alone =
    /// the devices of this computer.
    std::vector<std::string> devices{};
    std::filesystem::path machine{};  ///< a machine file (docs/file-formats.md)
    /// Devices of this computer by name, such as "blas"; excludes `machine`.
    std::vector<std::string> computer{};
    std::optional<Generation> generation{};
    /// Whose defaults a model is placed with; none = llama-server's, or what a saved session has.
    std::optional<Program> like{};
    KindOptions kind_options{};  ///< settings of the kinds of backend, by the names of their options
    /// The kinds of backend that compute; null = all that are built in. Give all sessions the same: kinds
    /// keep the drivers that they load.
    BackendKinds kinds{};
};

/// Opens a model (GGUF), graph, scheduler's log, recording, dump or saved session and puts it on a machine.
/// Change Session::model_options, machine and generation as you like before schedule(). Throws Error.
Session open_with(const std::filesystem::path& path, const OpenOptions& options = {},
                  const JobContext& job = {});

}  // namespace splitscope
