// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/placement_switches.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/plan_model.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// A model file, a machine and the switches that place one on the other; shared by plan, lint and suggest.
struct PlanOptions {
    std::string file;
    std::vector<std::string> devices;
    std::string machine;
    std::string generation = "2026-08";
    std::string gpu_layers = "all";
    std::string flash_attention = "auto";
    PlacementSwitches switches;
    PlacementFlags flags;

    void add_to(CLI::App& command, bool file_required = true);
    /// Throws Error(usage) for values that make no sense.
    PlacementFlags make_flags() const;
    Hardware make_hardware(const BackendKinds& kinds, const JobContext& job) const;
    Generation make_generation() const;
    bool generation_given() const;
    /// The file is a GGUF model rather than a graph or a session. Throws Error(io).
    bool is_model() const;

 private:
    const CLI::App* command_ = nullptr;
};

/// A model file and, where there is a graph builder for it, its model.
struct OpenedModel {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;
};
OpenedModel open_model_file(const std::string& path, const JobContext& job);

}  // namespace splitscope::cli
