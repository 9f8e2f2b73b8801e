// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstddef>
#include <vector>

#include "ui/models/run_profile.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// One run of a schedule over time: splits, nodes and copies of each backend. Wheel, + and − zoom, dragging
/// pans, arrow keys step through nodes.
class RunTimeline : public QWidget {
    Q_OBJECT
 public:
    explicit RunTimeline(const Theme& theme, QWidget* parent = nullptr);

    void set_run(TimedRun run);
    const TimedRun& run() const { return run_; }
    /// Refers to the graph that was run; none clears.
    void set_selected(TensorId node, SplitId split);
    void fit();
    void zoom_by(double factor);
    /// Visible range, in µs since the start of the run.
    double first_time() const { return first_; }
    double last_time() const { return last_; }
    /// Centre of a node's bar in widget coordinates; null if it has none.
    QPoint place_of(TensorId node) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

 signals:
    void node_clicked(splitscope::TensorId node);
    void split_clicked(splitscope::SplitId split);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

 private:
    enum Row : int { kSplits, kNodes, kCopies, kRows };
    struct Bar {
        double start = 0;  ///< µs
        double end = 0;
        ExecutionEventKind kind = ExecutionEventKind::compute;
        SplitId split;
        TensorId tensor;  ///< the node, the last of several nodes, or the copied tensor
        std::size_t nodes = 0;
        std::uint64_t bytes = 0;
    };
    using Bars = std::vector<Bar>;

    Bars& bars(std::size_t lane, Row row) { return bars_[lane * kRows + row]; }
    const Bars& bars(std::size_t lane, Row row) const { return bars_[lane * kRows + row]; }
    std::size_t lanes() const { return bars_.size() / kRows; }
    void add_events();
    double lane_height() const;
    QRectF row_rect(std::size_t lane, Row row) const;
    double x_of(double time) const;
    double time_at(double x) const;
    void show_times(double first, double last);
    struct Hit {
        const Bar* bar = nullptr;
        std::size_t lane = 0;
        Row row = kNodes;
    };
    Hit hit(QPointF place) const;
    QString tool_tip(const Hit& hit) const;
    void paint_row(QPainter& painter, std::size_t lane, Row row) const;
    void paint_ruler(QPainter& painter) const;
    void walk(int step);
    bool is_selected(const Bar& bar, Row row) const;

    const Theme& theme_;
    TimedRun run_;
    std::vector<Bars> bars_;  ///< each sorted by time, without overlaps
    double duration_ = 0;     ///< µs
    double first_ = 0;
    double last_ = 0;
    TensorId node_;
    SplitId split_;
    QPointF pressed_at_;
    double pressed_first_ = 0;
    bool pressed_ = false;
    bool dragged_ = false;
};

}  // namespace splitscope::ui
