// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "engine/support/job.hpp"
#include "ui/canvas/layout/block_layout.hpp"

namespace splitscope::ui {

struct DotOptions {
    QString program = QStringLiteral("dot");
    std::chrono::milliseconds budget{20000};  ///< for all shapes together
};

struct DotResult {
    std::vector<std::optional<BlockLayout>> layouts;  ///< per shape; none where the quick layout stays
    QString note;                                     ///< for the status line; empty when all went well
};

/// Lays shapes out with Graphviz's `dot` in a process of its own, which is killed when the job is cancelled
/// or its time is up. Runs on a worker; never throws except Cancelled.
DotResult layout_with_dot(std::span<const BlockShape> shapes, const DotOptions& options,
                          const JobContext& job);

}  // namespace splitscope::ui
