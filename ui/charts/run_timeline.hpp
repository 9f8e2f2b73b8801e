// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "engine/execution/execution.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope::ui {

/// One run of a schedule over time: a lane per backend, computing, copying and waiting.
class RunTimeline : public QWidget {
    Q_OBJECT
 public:
    explicit RunTimeline(const Theme& theme, QWidget* parent = nullptr);
    void set_execution(std::shared_ptr<const Schedule> schedule, std::shared_ptr<const Execution> execution);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
    void split_clicked(splitscope::SplitId split);

 protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

 private:
    QRectF box_of(const ExecutionEvent& event) const;
    const ExecutionEvent* event_at(QPointF place) const;

    const Theme& theme_;
    std::shared_ptr<const Schedule> schedule_;
    std::shared_ptr<const Execution> execution_;
};

}  // namespace splitscope::ui
