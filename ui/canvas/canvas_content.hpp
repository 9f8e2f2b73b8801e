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
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// The curves of one block layout as Qt draws them; made once for all blocks that share the layout.
struct LayoutPaths {
    QPainterPath all;
    std::vector<QPainterPath> each;  ///< per edge
};

/// One picture of a graph, ready to draw. Immutable; made on a worker.
struct CanvasContent {
    std::shared_ptr<const Analysis> analysis;
    std::shared_ptr<const Outline> outline;
    Picture picture;
    std::vector<std::shared_ptr<const LayoutPaths>> paths;  ///< per block
    std::vector<QPainterPath> cross_paths;                  ///< per cross edge
    std::vector<QPolygonF> cross_lines;                     ///< the same with sharp corners, quick to draw
    std::vector<QRectF> cross_boxes;                        ///< per cross edge: where it runs
    std::vector<bool> in_place;                             ///< per tensor: takes over a source's memory
    std::vector<bool> collapsed;                            ///< per block: drawn as one box
    bool is_overview = false;                               ///< of whole splits, which do not expand here
    std::vector<std::shared_ptr<const BlockLayout>> full_layouts;  ///< per block, as if none were collapsed

    const Schedule& schedule() const { return *analysis->schedule; }
    const BlockItem& item(ItemRef ref) const {
        return outline->blocks[static_cast<std::size_t>(ref.block)].items[static_cast<std::size_t>(ref.item)];
    }
};

std::shared_ptr<const CanvasContent> make_content(std::shared_ptr<const Analysis> analysis,
                                                  std::shared_ptr<const Outline> outline, Picture picture);

/// The same with other blocks collapsed; `collapsed` per block.
std::shared_ptr<const CanvasContent> with_collapsed(const CanvasContent& content,
                                                    std::vector<bool> collapsed);

/// The splits as boxes. `outline` is made of whole splits, `layout` of its overview_shape(); without one they
/// stand in lines.
std::shared_ptr<const CanvasContent> make_overview(std::shared_ptr<const Analysis> analysis,
                                                   std::shared_ptr<const Outline> outline,
                                                   const BlockLayout* layout);

/// What changes while a picture stays: the selection, the current decision, search hits.
struct CanvasState {
    const Theme* theme = nullptr;
    PaintCache* cache = nullptr;  ///< none: draw every shape, as for an image file
    std::shared_ptr<const Replay> replay;
    TensorId selected;
    TensorId just_decided;
    SplitId split;
    std::unordered_set<std::int32_t> matches;  ///< tensors found by the search
    TensorId run_at;                           ///< where a run stands still
    TensorId failed;                           ///< where it failed
    std::unordered_set<std::int32_t> breakpoints;
    std::unordered_set<std::int32_t> path;  ///< what is not on it is dimmed; empty: nothing is

    std::shared_ptr<const NodeHeat> heat;  ///< colours of the nodes; none: of their backends

    /// Of a node's figure, 0 … 1; negative: coloured by its backend.
    float heat_of(TensorId tensor) const { return heat ? heat->of(tensor) : -1; }
    bool is_dimmed(TensorId tensor) const { return !path.empty() && !path.contains(tensor.value); }

    BackendId backend_of(TensorId tensor) const {
        return replay && tensor.index() < replay->backend().size() ? replay->backend()[tensor.index()]
                                                                   : BackendId();
    }
};

QPainterPath to_path(const Curve& curve);
/// The same with sharp corners, for curves of straight lines and round corners.
QPolygonF to_lines(const Curve& curve);

}  // namespace splitscope::ui
