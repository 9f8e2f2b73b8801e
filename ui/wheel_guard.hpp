// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace splitscope::ui {

/// Prevents the wheel from changing unfocused spin boxes, combo boxes and sliders: it scrolls their container
/// instead and does not move the focus.
class WheelGuard : public QObject {
    Q_OBJECT
 public:
    /// Applies to all windows of the application, which owns the object.
    explicit WheelGuard(QObject& application);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace splitscope::ui
