// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <chrono>
#include <cstdint>
#include <vector>

#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

/// A box of the flame view: as wide as its time, above its parts.
struct FlameBox {
    enum Level : int { kAll, kLayer, kNode, kLevels };
    Level level = kAll;
    QString name;
    std::chrono::nanoseconds start{};  ///< position in the flame view, not the time of execution
    std::chrono::nanoseconds duration{};
    BackendId backend;  ///< none when several
    TensorId node;      ///< of a node: itself; of a layer: its slowest
};

/// The total, then the layers by first node, then the nodes in execution order; copies and waiting form a
/// separate layer.
struct Flame {
    std::vector<FlameBox> boxes;  ///< by level and place
    bool estimated = false;       ///< as in Profile
};
Flame make_flame(const TimedRun& run, const JobContext& job = {});

}  // namespace splitscope::ui
