// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/scheduler/schedule.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// The passes side by side, with widths by number of decisions, and a handle at the current decision.
class PassScrubber : public QWidget {
    Q_OBJECT
 public:
    explicit PassScrubber(const Theme& theme, QWidget* parent = nullptr);

    void set_schedule(std::shared_ptr<const Schedule> schedule);
    void set_position(std::size_t position);
    /// Hides the numbers of decisions, which are also in the tooltips.
    void set_compact(bool compact);
    QSize sizeHint() const override { return {600, height_}; }
    QSize minimumSizeHint() const override { return {220, height_}; }

    /// Converts between positions and widget coordinates; public for tests.
    double x_of(std::size_t position) const;
    std::size_t position_at(double x) const;

 signals:
    void sought(std::size_t position);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

 private:
    QRectF title_box(const QRectF& box, double title_width) const;
    struct Segment {
        Pass pass;
        std::size_t first;  ///< decisions before it
        std::size_t end;
        double left = 0;
        double width = 0;
    };
    static constexpr int kWithNumbers = 52;
    static constexpr int kCompact = 34;
    void place_segments();

    const Theme& theme_;
    std::shared_ptr<const Schedule> schedule_;
    std::vector<Segment> segments_;
    std::size_t position_ = 0;
    int height_ = kWithNumbers;
};

}  // namespace splitscope::ui
