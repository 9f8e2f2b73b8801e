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

namespace splitscope {
class VulkanKind;
}

namespace splitscope::cli {

/// What to look at: a model, graph or session file, and how it is scheduled. Shared by several commands.
struct SessionOptions {
    std::string file;
    std::string graph;
    std::string machine;
    std::vector<std::string> devices;
    std::vector<std::string> backends;
    bool vulkan_validation = false;
    std::string generation;
    std::size_t graph_number = 0;  ///< of a file with several, from 1; 0 = the one opened by itself
    std::uint32_t context = 0;
    std::uint32_t batch = 2048;
    std::uint32_t micro_batch = 32;
    std::string gpu_layers;
    bool prefill = false;
    std::string flash_attention;
    std::string cache_type;
    PlacementSwitches switches;

    /// Adds the options to a command.
    void add_to(CLI::App& command, bool with_generation = true);

    /// Opens the files. Throws Error(usage) when there is nothing to open, or too much.
    /// `vulkan`: the devices that --backends names; null = found when it names some.
    Session make_session(const JobContext& job, std::shared_ptr<VulkanKind> vulkan = nullptr) const;

    /// Throws Error(usage) when writing to `target` would replace one of the files that `session` was made
    /// of.
    void require_no_input(const std::filesystem::path& target, const Session& session) const;

    /// The Vulkan devices when --backends or --vulkan-validation ask for them, else null. The messages of
    /// the validation layer go to `on_message`.
    std::shared_ptr<VulkanKind> open_vulkan(std::function<void(const std::string&)> on_message = {}) const;

 private:
    void apply(Session& session) const;

    const CLI::App* command_ = nullptr;
};

}  // namespace splitscope::cli
