// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/placement_switches.hpp"
#include "backends/interface/registry.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/plan_model.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// A model file with its model, if there is a graph builder for it.
struct OpenedModel {
    std::shared_ptr<const GgufFile> file;
    std::shared_ptr<const Model> model;
};
OpenedModel open_model_file(const std::string& path, const JobContext& job);

/// Whether 'calibrate' can measure some device.
bool has_measurable_devices(const Machine& machine);

/// A model file, a machine and placement switches; shared by plan, lint and suggest.
struct PlanOptions {
    std::string file;
    std::vector<std::string> devices;
    std::string machine;
    std::vector<std::string> backends;
    KindOptions kind_options;  ///< settings of the kinds of backend
    std::string generation = "2026-08";
    PlacementSwitches switches;
    PromptSwitches prompt;

    void add_to(CLI::App& command, const BackendKinds& kinds, bool file_required = true);
    /// The program's defaults with the given switches applied. Throws Error(usage) for invalid values.
    PlacementFlags make_flags(const GgufFile& model, const Hardware& hardware) const;
    Hardware make_hardware(const BackendKinds& kinds, const JobContext& job) const;
    Generation make_generation() const;
    /// The program whose defaults apply.
    Program program() const { return switches.like().value_or(Program::llama_server); }
    bool generation_given() const;
    /// Which devices are assumed because none, or no CPU, is named; empty if all are named.
    Message assumption(const Hardware& hardware) const;
    /// Whether devices are given that are no presets.
    bool describes_machine() const;
    /// Whether the file is a GGUF model, not a graph or a session. Throws Error(io).
    bool is_model() const;

 private:
    const CLI::App* command_ = nullptr;
    BackendKinds kinds_;
};

}  // namespace splitscope::cli
