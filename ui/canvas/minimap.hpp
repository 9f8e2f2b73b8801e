// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

#include "ui/canvas/canvas_view.hpp"

namespace splitscope::ui {

/// The whole picture in a corner of the canvas, with the visible part marked; click or drag to navigate.
class Minimap : public QWidget {
    Q_OBJECT
 public:
    Minimap(CanvasView& view, const Theme& theme);

    /// Redraws after a change of content, assignment or theme.
    void redraw();
    void set_wanted(bool wanted) {
        wanted_ = wanted;
        place();
    }

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

 private:
    void place();
    bool covers_blocks_at(QPoint corner) const;
    void go_to(QPoint place);
    QTransform to_map() const;

    CanvasView& view_;
    const Theme& theme_;
    bool wanted_ = true;
    QPixmap picture_;
    std::size_t corner_ = 0;  ///< among those that place() tries
};

}  // namespace splitscope::ui
