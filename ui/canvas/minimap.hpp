// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

#include "ui/canvas/canvas_view.hpp"

namespace splitscope::ui {

/// The whole picture in a corner of the canvas where it covers no node, with the visible part marked; click
/// or drag to navigate. Hidden while the whole graph is visible.
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
    bool covers_nodes(const QRect& place) const;
    bool all_in_view() const;
    void show_at(const QRect& place);
    void draw_picture();
    void go_to(QPoint place);
    QTransform to_map() const;

    CanvasView& view_;
    const Theme& theme_;
    bool wanted_ = true;
    QPixmap picture_;
    bool placed_ = false;  ///< at a position chosen for this picture
};

}  // namespace splitscope::ui
