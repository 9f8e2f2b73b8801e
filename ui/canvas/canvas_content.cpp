// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_content.hpp"

#include <unordered_map>

#include "ui/models/device_label.hpp"

namespace splitscope::ui {
namespace {

QPointF to_qt(Point p) {
    return {p.x, p.y};
}

std::shared_ptr<const LayoutPaths> paths_of(const BlockLayout& layout) {
    auto paths = std::make_shared<LayoutPaths>();
    paths->each.reserve(layout.curves.size());
    for (const Curve& curve : layout.curves) {
        paths->each.push_back(to_path(curve));
        paths->all.addPath(paths->each.back());
    }
    return paths;
}

constexpr Size kCollapsedSize{168, 30};

/// A single box: edges enter at the top and leave at the bottom.
BlockLayout collapsed_layout(const Block& block) {
    BlockLayout layout;
    layout.size = kCollapsedSize;
    layout.centres.reserve(block.items.size());
    for (const BlockItem& item : block.items) {
        // Edges end half a port from its centre: at the border of the block, which has a header and padding.
        Point centre{kCollapsedSize.width / 2, kCollapsedSize.height / 2};
        if (item.kind == ItemKind::in_port) centre.y = -38;
        if (item.kind == ItemKind::out_port) centre.y = kCollapsedSize.height + 8;
        layout.centres.push_back(centre);
    }
    return layout;
}

}  // namespace

QPainterPath to_path(const Curve& curve) {
    QPainterPath path;
    if (curve.empty()) return path;
    path.moveTo(to_qt(curve[0]));
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
        path.cubicTo(to_qt(curve[i]), to_qt(curve[i + 1]), to_qt(curve[i + 2]));
    }
    return path;
}

QPolygonF to_lines(const Curve& curve) {
    QPolygonF lines;
    if (curve.empty()) return lines;
    lines.push_back(to_qt(curve.front()));
    // Both control points of a rounded corner are at the corner.
    for (std::size_t i = 1; i + 2 < curve.size(); i += 3) {
        if (curve[i] == curve[i + 1]) lines.push_back(to_qt(curve[i]));
    }
    lines.push_back(to_qt(curve.back()));
    return lines;
}

std::shared_ptr<const CanvasContent> make_content(std::shared_ptr<const Analysis> analysis,
                                                  std::shared_ptr<const Outline> outline, Picture picture) {
    auto content = std::make_shared<CanvasContent>();
    std::unordered_map<const BlockLayout*, std::shared_ptr<const LayoutPaths>> shared;
    for (const auto& layout : picture.layouts) {
        auto& paths = shared[layout.get()];
        if (!paths) paths = paths_of(*layout);
        content->paths.push_back(paths);
    }
    for (const Curve& curve : picture.cross_curves) {
        content->cross_paths.push_back(to_path(curve));
        content->cross_lines.push_back(to_lines(curve));
        content->cross_boxes.push_back(content->cross_lines.back().boundingRect());
    }
    content->in_place.assign(analysis->schedule->graph->tensors.size(), false);
    if (analysis->plan) {
        for (const AllocationEvent& event : analysis->plan->events) {
            if (event.kind == AllocationEventKind::reuse_in_place &&
                event.tensor.index() < content->in_place.size()) {
                content->in_place[event.tensor.index()] = true;
            }
        }
    }
    for (std::size_t b = 0; b < analysis->machine->backends.size(); ++b)
        content->devices.push_back(device_label(*analysis, BackendId(b)));
    content->analysis = std::move(analysis);
    content->outline = std::move(outline);
    content->full_layouts = picture.layouts;
    content->collapsed.assign(picture.layouts.size(), false);
    content->picture = std::move(picture);
    return content;
}

std::shared_ptr<const CanvasContent> with_collapsed(const CanvasContent& content,
                                                    std::vector<bool> collapsed) {
    std::vector<std::shared_ptr<const BlockLayout>> layouts = content.full_layouts;
    collapsed.resize(layouts.size(), false);
    for (std::size_t b = 0; b < layouts.size(); ++b) {
        if (!collapsed[b]) continue;
        layouts[b] = std::make_shared<const BlockLayout>(collapsed_layout(content.outline->blocks[b]));
    }
    const auto made =
        make_content(content.analysis, content.outline, compose(*content.outline, std::move(layouts)));
    auto result = std::make_shared<CanvasContent>(*made);
    result->collapsed = std::move(collapsed);
    result->full_layouts = content.full_layouts;
    return result;
}

std::shared_ptr<const CanvasContent> make_overview(std::shared_ptr<const Analysis> analysis,
                                                   std::shared_ptr<const Outline> outline,
                                                   const BlockLayout* layout) {
    Picture picture = layout ? compose_overview(*outline, *layout) : compose_wrapped_overview(*outline);
    const auto made = make_content(std::move(analysis), std::move(outline), std::move(picture));
    auto result = std::make_shared<CanvasContent>(*made);
    result->collapsed.assign(result->collapsed.size(), true);
    result->is_overview = true;
    return result;
}

}  // namespace splitscope::ui
