// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "engine/scheduler/schedule.hpp"

namespace splitscope {

/// The assignment as it stood after some number of decisions of a schedule, forwards and backwards.
/// Moving costs as many steps as decisions lie in between, or the way from the nearest pass boundary.
class Replay {
 public:
    explicit Replay(std::shared_ptr<const Schedule> schedule);

    /// Number of decisions applied, 0 … decisions.size().
    std::size_t position() const { return position_; }
    void seek(std::size_t position);
    /// To the state after the pass (its last decision).
    void seek_after(Pass pass);

    /// Per tensor of the graph.
    const std::vector<BackendId>& backend() const { return backend_; }
    const std::vector<Cause>& cause() const { return cause_; }

    /// The pass that the last applied decision belongs to (Pass::user at the start).
    Pass current_pass() const;
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
