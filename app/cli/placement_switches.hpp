// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace CLI {
class App;
}

namespace splitscope::cli {

/// The switches that say where a model's parts go, with the names of the reference; shared by every command
/// that places a model.
struct PlacementSwitches {
    std::string split_mode;
    std::int32_t main_gpu = 0;
    std::string tensor_split;
    std::vector<std::string> overrides;
    bool cpu_experts = false;
    std::uint32_t cpu_expert_blocks = 0;
    bool no_kv_offload = false;
    bool no_op_offload = false;
    bool no_mmap = false;
    std::string cache_type_k;
    std::string cache_type_v;

    void add_to(CLI::App& command);
    /// Puts in what was given; what was not stays as it is. Throws Error(usage) for values that make no
    /// sense.
    void put_into(ModelOptions& options, Machine& machine) const;
    void put_into(PlacementFlags& flags) const;

 private:
    bool given(const char* option) const;

    const CLI::App* command_ = nullptr;
};

/// "all" or "auto", "half", or a number of layers, as ModelOptions::gpu_layers. Throws Error(usage).
std::int32_t layers_of(const std::string& text);

/// The element type of that name. Throws Error(usage) naming the option.
ElementType element_type_of(const std::string& name, const char* option);

}  // namespace splitscope::cli
