// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/session/live_run.hpp"

namespace splitscope::cli {

/// Keeps the values of named nodes while a model runs and writes them as .npy files afterwards.
class TensorDump {
 public:
    /// Each request is NAME=FILE.npy. Throws Error(usage) for anything else.
    explicit TensorDump(const std::vector<std::string>& requests);

    bool empty() const { return wanted_.empty(); }
    /// Where to.
    std::vector<std::filesystem::path> files() const;
    /// Has the run tell the values; a node is computed many times, the last ones stay.
    void watch(RunObserver& observer);
    /// Throws Error(usage) when a node was not computed so far, naming the nearest one.
    void require_all_seen() const;
    /// Writes the files; returns their names. Throws Error(usage) when a node was never computed, and writes
    /// nothing then.
    std::vector<std::string> write() const;

 private:
    struct Wanted {
        std::vector<std::filesystem::path> files;
        Tensor tensor;
        std::vector<std::byte> bytes;
        bool seen = false;
    };
    std::map<std::string, Wanted> wanted_;
    std::vector<std::string> names_;  ///< of all nodes, in the order of computing
    const Graph* graph_ = nullptr;    ///< whose names these are
};

}  // namespace splitscope::cli
