// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/planning/companions.hpp"
#include "engine/support/job.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitscope::cli {

/// Options of the files that llama.cpp's programs load beside the model.
class CompanionOptions {
 public:
    void add_to(CLI::App& command);
    /// Leaves them out of help, completions and the manual page.
    void hide();
    std::vector<Companion> open(const PlacementFlags& flags, Generation generation,
                                const JobContext& job) const;
    /// The given options that name a file.
    std::vector<std::string> given_files() const;
    /// Throws Error(usage) with this remedy if one of the options was given that names a file.
    void refuse(const Message& why, const Message& remedy) const;
    /// As above for adapters only, which change the graphs of the model.
    void refuse_adapters(const Message& why, const Message& remedy) const;

 private:
    CLI::App* command_ = nullptr;
    std::vector<CLI::Option*> added_;
    std::string projector_;
    bool keep_projector_ = false;
    std::string draft_;
    std::string draft_layers_;
    std::string draft_cache_k_;
    std::string draft_cache_v_;
    std::vector<std::string> draft_devices_;
    std::vector<std::string> draft_overrides_;
    bool draft_cpu_experts_ = false;
    std::vector<std::uint32_t> draft_cpu_expert_blocks_;
    std::vector<std::string> adapters_;
};

}  // namespace splitscope::cli
