// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>
#include <memory>
#include <optional>

#include "engine/support/job.hpp"
#include "ui/canvas/canvas_content.hpp"
#include "ui/theme/colours.hpp"

namespace splitscope::ui {

class CrossEdgesItem;

/// What an image file shows. Immutable while it is drawn.
struct ImageRequest {
    std::shared_ptr<const CanvasContent> content;
    Colours colours;
    CanvasState state;              ///< its colours are replaced by `colours`
    std::optional<QRectF> visible;  ///< the visible part, empty for the whole picture
    QSize size;                     ///< in pixels, of the visible part
};

/// Bounds of everything drawn at a zoom, with a margin.
QRectF bounds_of_picture(const CanvasContent& content, const CrossEdgesItem& edges, double zoom);

/// Draws an SVG or PNG file (by suffix) and writes it atomically. May run on any thread. Throws Error and
/// Cancelled.
void save_image(const QString& path, const ImageRequest& request, const JobContext& job);

}  // namespace splitscope::ui
