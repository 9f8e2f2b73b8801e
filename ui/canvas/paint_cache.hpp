// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QPixmap>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>

namespace splitscope::ui {

/// Pictures of what looks the same in many places, for one zoom: node boxes, the edges of a layout. Drawing
/// smooth shapes is what costs in software; copying their pixels does not.
class PaintCache {
 public:
    using Key = std::pair<const void*, std::uint32_t>;
    using Draw = std::function<void(QPainter&)>;

    /// Pictures of another zoom or pixel ratio are forgotten.
    void use(double zoom, double pixel_ratio);
    void forget();
    /// The frame before had this zoom too: pictures of what is drawn once per frame are worth making.
    bool settled() const { return frames_ > 1; }

    /// Texts cut to the width of their boxes, and their widths; the same at every zoom. Cutting costs more
    /// than drawing.
    struct Label {
        QString first;
        QString second;
        QString third;
        double third_width = 0;
    };
    using LabelKey = std::pair<std::int32_t, std::uint32_t>;
    const Label& label(LabelKey key, const std::function<Label()>& make);

    /// Draws `area` (in the painter's coordinates) from its picture, which `draw` makes when there is none:
    /// it draws into `area` moved to the origin. Large areas are drawn directly.
    void draw(QPainter& painter, Key key, const QRectF& area, const Draw& draw);

 private:
    std::map<Key, QPixmap> pictures_;
    std::map<LabelKey, Label> labels_;
    double zoom_ = 0;
    double pixel_ratio_ = 1;
    std::int64_t pixels_ = 0;
    int frames_ = 0;         ///< at this zoom
    int emptied_frame_ = 0;  ///< when there was no more room
};

}  // namespace splitscope::ui
