// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "engine/support/job.hpp"
#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

/// What the colours of the nodes mean.
enum class ColourBy : std::uint8_t { backend, time, bytes };

/// A figure for each tensor of a graph, as a share of the largest one.
struct NodeHeat {
    std::shared_ptr<const Graph> graph;
    std::vector<float> share;  ///< per tensor, 0 … 1; negative where there is no figure
    std::vector<double> value;
    double largest = 0;
    ColourBy by = ColourBy::bytes;
    QString legend;

    float of(TensorId tensor) const { return tensor.index() < share.size() ? share[tensor.index()] : -1; }
    /// "1.24 ms", "4.00 KiB"; empty where there is no figure.
    QString text_of(TensorId tensor) const;
};

/// Bytes that each node writes; views write none.
std::shared_ptr<const NodeHeat> heat_by_bytes(const Analysis& shown, const JobContext& job);
/// What computing each node took in a run, whose graph may be another: nodes are matched by identity.
std::shared_ptr<const NodeHeat> heat_by_time(const Analysis& shown, const TimedRun& run,
                                             const JobContext& job);

}  // namespace splitscope::ui
