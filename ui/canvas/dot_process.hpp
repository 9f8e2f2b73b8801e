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
    std::vector<std::optional<BlockLayout>> layouts;  ///< per shape; empty if the quick layout is kept
    QString note;                                     ///< for the status line; may be empty
};

/// Lays out shapes with Graphviz's `dot` in a separate process, which is killed on cancellation or timeout.
/// Runs on a worker; throws only Cancelled.
DotResult layout_with_dot(std::span<const BlockShape> shapes, const DotOptions& options,
                          const JobContext& job);

}  // namespace splitscope::ui
