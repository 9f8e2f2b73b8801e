// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>
#include <memory>
#include <unordered_set>
#include <vector>

#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "ui/canvas/layout/compose.hpp"
#include "ui/canvas/paint_cache.hpp"
#include "ui/models/node_heat.hpp"
#include "ui/theme/colours.hpp"

namespace splitscope::ui {

/// Painter paths of a block layout, shared by all blocks with this layout.
struct LayoutPaths {
    QPainterPath all;
    std::vector<QPainterPath> each;  ///< per edge
};

/// A complete picture of a graph. Immutable; created on a worker.
struct CanvasContent {
    std::shared_ptr<const Analysis> analysis;
    std::shared_ptr<const Outline> outline;
    Picture picture;
    std::vector<std::shared_ptr<const LayoutPaths>> paths;  ///< per block
    std::vector<QPainterPath> cross_paths;                  ///< per cross edge
    std::vector<QPolygonF> cross_lines;                     ///< polygons of the cross edges, fast to draw
    std::vector<QRectF> cross_boxes;                        ///< per cross edge: its bounding box
    std::vector<bool> in_place;                             ///< per tensor: takes over a source's memory
    std::vector<bool> collapsed;                            ///< per block: drawn as one box
    bool is_overview = false;                               ///< of whole splits, which do not expand here
    std::vector<std::shared_ptr<const BlockLayout>> full_layouts;  ///< per block, as if none were collapsed
    std::vector<QString> devices;                                  ///< labels of the machine's backends

    const Schedule& schedule() const { return *analysis->schedule; }
    const QString& device(BackendId backend) const { return devices[backend.index()]; }
    const BlockItem& item(ItemRef ref) const {
        return outline->blocks[static_cast<std::size_t>(ref.block)].items[static_cast<std::size_t>(ref.item)];
    }
};

std::shared_ptr<const CanvasContent> make_content(std::shared_ptr<const Analysis> analysis,
                                                  std::shared_ptr<const Outline> outline, Picture picture);

/// A copy with other blocks collapsed; `collapsed` per block.
std::shared_ptr<const CanvasContent> with_collapsed(const CanvasContent& content,
                                                    std::vector<bool> collapsed);

/// The splits as boxes. `outline` consists of whole splits, `layout` lays out its overview_shape(); without a
/// layout, they are arranged in lines.
std::shared_ptr<const CanvasContent> make_overview(std::shared_ptr<const Analysis> analysis,
                                                   std::shared_ptr<const Outline> outline,
                                                   const BlockLayout* layout);

/// The variable part of a picture: selection, current decision, search hits.
struct CanvasState {
    const Colours* colours = nullptr;
    PaintCache* cache = nullptr;  ///< null: draw every shape, for image files
    bool large_titles = false;    ///< for exported pictures, which are viewed as a whole
    std::shared_ptr<const Replay> replay;
    TensorId selected;
    TensorId just_decided;
    SplitId split;
    std::unordered_set<std::int32_t> matches;  ///< tensors found by the search
    TensorId run_at;                           ///< where a run is paused
    TensorId failed;                           ///< where it failed
    std::unordered_set<std::int32_t> breakpoints;
    std::unordered_set<std::int32_t> path;  ///< tensors not on it are dimmed; empty: none are

    std::shared_ptr<const NodeHeat> heat;  ///< null: nodes are coloured by backend

    /// The node's heat, 0 … 1; negative: coloured by backend.
    float heat_of(TensorId tensor) const { return heat ? heat->of(tensor) : -1; }
    bool is_dimmed(TensorId tensor) const { return !path.empty() && !path.contains(tensor.value); }

    BackendId backend_of(TensorId tensor) const {
        return replay && tensor.index() < replay->backend().size() ? replay->backend()[tensor.index()]
                                                                   : BackendId();
    }
};

QPainterPath to_path(const Curve& curve);
/// Converts to a polygon, for edges with straight lines and rounded corners.
QPolygonF to_lines(const Curve& curve);

}  // namespace splitscope::ui
