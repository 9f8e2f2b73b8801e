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

/// Keeps values of selected nodes during a run and writes them as .npy files afterwards.
class TensorDump {
 public:
    /// Requests are NODE=FILE.npy, with a name or an identity such as Qcur-0@ROPE. Throws Error(usage) for
    /// invalid requests.
    explicit TensorDump(const std::vector<std::string>& requests);

    bool empty() const { return wanted_.empty(); }
    /// The output files.
    std::vector<std::filesystem::path> files() const;
    /// Registers with the run's observer. If a node is computed several times, the last values are kept.
    void watch(RunObserver& observer);
    /// Throws Error(usage) if a node was not computed, with the closest name, or if a name is ambiguous, with
    /// all matches.
    void require_all_seen() const;
    /// Writes the files and returns their names. Throws Error(usage) without writing anything if a node was
    /// not computed.
    std::vector<std::string> write() const;

 private:
    struct Wanted {
        std::vector<std::filesystem::path> files;
        Tensor tensor;
        std::vector<std::byte> bytes;
        std::set<TensorIdentity> seen;  ///< matching nodes that were computed
    };
    void look_at(const Analysis& analysis);

    std::map<std::string, Wanted> wanted_;
    /// Identities of the last reported graph, kept alive so that its address is not reused.
    std::shared_ptr<const TensorIdentities> identities_;
    std::map<TensorId, std::vector<Wanted*>> wanted_nodes_;
    std::vector<std::string> names_;  ///< all nodes in execution order
};

}  // namespace splitscope::cli
