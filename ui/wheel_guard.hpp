// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace splitscope::ui {

/// Keeps the wheel from editing spin boxes, combo boxes and sliders that do not have the focus: it scrolls what they
/// are in instead, and never moves the focus to them.
class WheelGuard : public QObject {
    Q_OBJECT
 public:
    /// For all windows of the application, whose child it becomes.
    explicit WheelGuard(QObject& application);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace splitscope::ui
