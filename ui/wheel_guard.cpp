// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wheel_guard.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QSlider>

namespace splitscope::ui {
namespace {

/// The widget, if the wheel would change its value.
QWidget* edited_by_wheel(QObject* watched) {
    if (auto* spin_box = qobject_cast<QAbstractSpinBox*>(watched)) return spin_box;
    if (auto* slider = qobject_cast<QSlider*>(watched)) return slider;
    return qobject_cast<QComboBox*>(watched);
}

}  // namespace

WheelGuard::WheelGuard(QObject& application) : QObject(&application) {
    application.installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Polish:
            // Qt sets the focus before delivering the wheel event.
            if (QWidget* widget = edited_by_wheel(watched); widget && widget->focusPolicy() == Qt::WheelFocus)
                widget->setFocusPolicy(Qt::StrongFocus);
            break;
        case QEvent::Wheel:
            if (const QWidget* widget = edited_by_wheel(watched); widget && !widget->hasFocus()) {
                // An ignored event propagates to the parent.
                event->ignore();
                return true;
            }
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace splitscope::ui
