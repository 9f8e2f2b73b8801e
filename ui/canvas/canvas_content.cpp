// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_content.hpp"

#include <unordered_map>

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

std::shared_ptr<const CanvasContent> make_content(std::shared_ptr<const Analysis> analysis,
                                                  std::shared_ptr<const Outline> outline, Picture picture) {
    auto content = std::make_shared<CanvasContent>();
    std::unordered_map<const BlockLayout*, std::shared_ptr<const LayoutPaths>> shared;
    for (const auto& layout : picture.layouts) {
        auto& paths = shared[layout.get()];
        if (!paths) paths = paths_of(*layout);
        content->paths.push_back(paths);
    }
    for (const Curve& curve : picture.cross_curves) content->cross_paths.push_back(to_path(curve));
    content->in_place.assign(analysis->schedule->graph->tensors.size(), false);
    if (analysis->plan) {
        for (const AllocationEvent& event : analysis->plan->events) {
            if (event.kind == AllocationEventKind::reuse_in_place &&
                event.tensor.index() < content->in_place.size()) {
                content->in_place[event.tensor.index()] = true;
            }
        }
    }
    content->analysis = std::move(analysis);
    content->outline = std::move(outline);
    content->picture = std::move(picture);
    return content;
}

}  // namespace splitscope::ui
