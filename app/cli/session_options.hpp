// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/placement_switches.hpp"
#include "engine/session/session.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// The file to open and how to schedule it; shared by several commands.
struct SessionOptions {
    std::string file;
    std::string graph;
    std::string machine;
    std::vector<std::string> devices;
    std::vector<std::string> backends;
    KindOptions kind_options;  ///< settings of the kinds of backend
    /// Options of the reference, if an option is given twice.
    KindOptions reference_options;
    std::string generation;
    std::size_t graph_number = 0;  ///< of a file with several graphs, from 1; 0 = the default graph
    bool prefill = false;
    PlacementSwitches switches;

    /// Adds the options to a command, including those of the backend kinds.
    void add_to(CLI::App& command, BackendKinds kinds, bool with_generation = true, bool compares = false);

    /// Opens the files. Throws Error(usage) unless exactly one of `file` and `graph` is given.
    Session make_session(const JobContext& job) const;

    /// Throws Error(usage) if writing `target` would overwrite an input file of `session`.
    void require_no_input(const std::filesystem::path& target, const Session& session) const;

    bool names_devices() const;

    const BackendKinds& kinds() const { return kinds_; }

 private:
    /// Throws Error(usage) for given options without effect on such a file.
    void refuse_ignored_options(const OpenedFile& opened) const;
    /// The session's machine, if one is given. Returns whether --device chooses among its devices.
    bool use_machine(Session& session, const JobContext& job) const;

    BackendKinds kinds_;
};

}  // namespace splitscope::cli
