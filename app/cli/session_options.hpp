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

/// What to look at: a model, graph or session file, and how it is scheduled. Shared by several commands.
struct SessionOptions {
    std::string file;
    std::string graph;
    std::string machine;
    std::vector<std::string> devices;
    std::vector<std::string> backends;
    KindOptions kind_options;  ///< settings of the kinds of backend
    std::string generation;
    std::size_t graph_number = 0;  ///< of a file with several, from 1; 0 = the one opened by itself
    bool prefill = false;
    PlacementSwitches switches;

    /// Adds the options to a command, those of the kinds of backend among them.
    void add_to(CLI::App& command, BackendKinds kinds, bool with_generation = true);

    /// Opens the files. Throws Error(usage) when there is nothing to open, or too much.
    Session make_session(const JobContext& job) const;

    /// Throws Error(usage) when writing to `target` would replace one of the files that `session` was made
    /// of.
    void require_no_input(const std::filesystem::path& target, const Session& session) const;

    const BackendKinds& kinds() const { return kinds_; }

 private:
    /// Throws Error(usage) for what was given and has no effect on such a file.
    void refuse_ignored_options(const OpenedFile& opened) const;

    BackendKinds kinds_;
};

}  // namespace splitscope::cli
