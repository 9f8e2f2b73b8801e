// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "engine/support/job.hpp"
#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

/// What node colours show.
enum class ColourBy : std::uint8_t { backend, time, bytes };

/// A figure per tensor, relative to the largest.
struct NodeHeat {
    std::shared_ptr<const Graph> graph;
    std::vector<float> share;  ///< per tensor, 0 … 1; negative if unknown
    std::vector<double> value;
    double largest = 0;
    ColourBy by = ColourBy::bytes;
    QString legend;

    float of(TensorId tensor) const { return tensor.index() < share.size() ? share[tensor.index()] : -1; }
    /// "1.24 ms", "4.00 KiB"; empty if unknown.
    QString text_of(TensorId tensor) const;
};

/// Bytes written by each node; 0 for views.
std::shared_ptr<const NodeHeat> heat_by_bytes(const Analysis& shown, const JobContext& job);
/// Computation time of each node in a run; nodes are matched by identity, as the run's graph may differ.
std::shared_ptr<const NodeHeat> heat_by_time(const Analysis& shown, const TimedRun& run,
                                             const JobContext& job);

}  // namespace splitscope::ui
