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

/// Pixmaps of shapes that repeat, for one zoom: node boxes and the edges of a layout. In software rendering,
/// copying pixels is much cheaper than antialiased drawing.
class PaintCache {
 public:
    using Key = std::pair<const void*, std::uint32_t>;
    using Draw = std::function<void(QPainter&)>;

    /// Discards pixmaps of other zooms and pixel ratios.
    void use(double zoom, double pixel_ratio);
    void forget();
    /// Whether the previous frame had this zoom too, so that caching once-per-frame pictures pays off.
    bool settled() const { return frames_ > 1; }

    /// Elided texts with their widths, independent of the zoom. Eliding costs more than drawing.
    struct Label {
        QString first;
        QString second;
        QString third;
        double third_width = 0;
    };
    using LabelKey = std::pair<std::int32_t, std::uint32_t>;
    const Label& label(LabelKey key, const std::function<Label()>& make);

    /// Draws `area` (in the painter's coordinates) from the cache. On a miss, calls `draw` with a painter
    /// whose origin is the area's. Large areas are drawn directly.
    void draw(QPainter& painter, Key key, const QRectF& area, const Draw& draw);

 private:
    std::map<Key, QPixmap> pictures_;
    std::map<LabelKey, Label> labels_;
    double zoom_ = 0;
    double pixel_ratio_ = 1;
    std::int64_t pixels_ = 0;
    int frames_ = 0;         ///< at this zoom
    int emptied_frame_ = 0;  ///< in which the cache was last emptied, being full
};

}  // namespace splitscope::ui
