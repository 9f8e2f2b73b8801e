// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/session/live_run.hpp"

namespace splitscope::cli {

/// Keeps the values of chosen nodes while a model runs and writes them as .npy files afterwards.
class TensorDump {
 public:
    /// Each request is NODE=FILE.npy, where NODE is a name or an identity such as Qcur-0@ROPE. Throws
    /// Error(usage) for anything else.
    explicit TensorDump(const std::vector<std::string>& requests);

    bool empty() const { return wanted_.empty(); }
    /// Where to.
    std::vector<std::filesystem::path> files() const;
    /// Has the run tell the values; a node is computed many times, the last ones stay.
    void watch(RunObserver& observer);
    /// Throws Error(usage) when a node was not computed so far, naming the nearest one, and when several
    /// nodes have the name, naming each.
    void require_all_seen() const;
    /// Writes the files; returns their names. Throws Error(usage) when a node was never computed, and writes
    /// nothing then.
    std::vector<std::string> write() const;

 private:
    struct Wanted {
        std::vector<std::filesystem::path> files;
        Tensor tensor;
        std::vector<std::byte> bytes;
        std::set<TensorIdentity> seen;  ///< nodes it means that were computed
    };
    void look_at(const Analysis& analysis);

    std::map<std::string, Wanted> wanted_;
    /// Whose nodes were told last; the identities are kept so that no other graph takes their address.
    std::shared_ptr<const TensorIdentities> identities_;
    std::map<TensorId, std::vector<Wanted*>> wanted_nodes_;
    std::vector<std::string> names_;  ///< of all nodes, in the order of computing
};

}  // namespace splitscope::cli
