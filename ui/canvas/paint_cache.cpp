// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/paint_cache.hpp"

#include <algorithm>
#include <cmath>

namespace splitscope::ui {
namespace {

constexpr double kPictureMargin = 3;             ///< pixels around a picture, for pens and smoothing
constexpr double kMaxSide = 2000;                ///< pixels of a picture
constexpr std::int64_t kMaxPixels = 12'000'000;  ///< of all pictures together
constexpr std::size_t kMaxLabels = 20'000;

}  // namespace

void PaintCache::use(double zoom, double pixel_ratio) {
    constexpr int kManyFrames = 1 << 30;
    frames_ = std::min(frames_ + 1, kManyFrames);
    if (zoom == zoom_ && pixel_ratio == pixel_ratio_) return;
    frames_ = 1;
    emptied_frame_ = 0;
    pictures_.clear();
    pixels_ = 0;
    zoom_ = zoom;
    pixel_ratio_ = pixel_ratio;
}

void PaintCache::forget() {
    pictures_.clear();
    pixels_ = 0;
    labels_.clear();
}

const PaintCache::Label& PaintCache::label(LabelKey key, const std::function<Label()>& make) {
    if (labels_.size() >= kMaxLabels) labels_.clear();
    const auto found = labels_.find(key);
    return found != labels_.end() ? found->second : labels_.emplace(key, make()).first->second;
}

void PaintCache::draw(QPainter& painter, Key key, const QRectF& area, const Draw& draw) {
    auto found = pictures_.find(key);
    if (found == pictures_.end()) {
        const double width = area.width() * zoom_ + 2 * kPictureMargin;
        const double height = area.height() * zoom_ + 2 * kPictureMargin;
        const auto count = static_cast<std::int64_t>(width * height * pixel_ratio_ * pixel_ratio_);
        const bool can_be_kept = width <= kMaxSide && height <= kMaxSide && count <= kMaxPixels;
        // Evict earlier entries, but not those of this frame.
        if (can_be_kept && pixels_ + count > kMaxPixels && emptied_frame_ != frames_) {
            emptied_frame_ = frames_;
            pictures_.clear();
            pixels_ = 0;
        }
        if (!can_be_kept || pixels_ + count > kMaxPixels) {
            painter.save();
            painter.translate(area.topLeft());
            draw(painter);
            painter.restore();
            return;
        }
        QPixmap picture(QSize(static_cast<int>(std::ceil(width * pixel_ratio_)),
                              static_cast<int>(std::ceil(height * pixel_ratio_))));
        picture.setDevicePixelRatio(pixel_ratio_);
        picture.fill(Qt::transparent);
        QPainter inside(&picture);
        inside.setRenderHints(painter.renderHints());
        inside.translate(kPictureMargin, kPictureMargin);
        inside.scale(zoom_, zoom_);
        draw(inside);
        inside.end();
        pixels_ += count;
        found = pictures_.emplace(key, std::move(picture)).first;
    }
    const QPointF place = painter.worldTransform().map(area.topLeft());
    painter.setWorldMatrixEnabled(false);
    painter.drawPixmap(
        QPointF(std::round(place.x() - kPictureMargin), std::round(place.y() - kPictureMargin)),
        found->second);
    painter.setWorldMatrixEnabled(true);
}

}  // namespace splitscope::ui
