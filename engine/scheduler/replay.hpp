// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The assignment after a given number of decisions. Seeking forwards applies the decisions in between;
/// backwards, or past the start of a pass, it restarts from the last pass start before the target.
class Replay {
 public:
    explicit Replay(std::shared_ptr<const Schedule> schedule);

    /// Number of decisions applied, 0 … decisions.size().
    std::size_t position() const { return position_; }
    void seek(std::size_t position);

    /// Per tensor of the graph.
    const std::vector<BackendId>& backend() const { return backend_; }
    const std::vector<Cause>& cause() const { return cause_; }

    const Schedule& schedule() const { return *schedule_; }

 private:
    void apply(std::size_t decision);

    struct Snapshot {
        std::size_t position;
        std::vector<BackendId> backend;
        std::vector<Cause> cause;
    };

    std::shared_ptr<const Schedule> schedule_;
    std::vector<Snapshot> pass_starts_;  ///< state before each pass
    std::size_t position_ = 0;
    std::vector<BackendId> backend_;
    std::vector<Cause> cause_;
};

}  // namespace splitscope
