// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/spin_box_undo.hpp"

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace splitscope::ui {

SpinBoxUndo::SpinBoxUndo(QObject& application) : QObject(&application) {
    application.installEventFilter(this);
}

bool SpinBoxUndo::eventFilter(QObject* watched, QEvent* event) {
    auto* const box = qobject_cast<QAbstractSpinBox*>(watched);
    auto* const text = box != nullptr ? box->findChild<QLineEdit*>() : nullptr;
    if (text == nullptr) return QObject::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::ShortcutOverride: {
            const auto* const key = static_cast<QKeyEvent*>(event);
            const bool undoes = key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo);
            if (!undoes || text->isModified()) break;
            // Not accepted, so that it becomes the window's shortcut.
            event->ignore();
            return true;
        }
        case QEvent::KeyPress: {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if (key == Qt::Key_Return || key == Qt::Key_Enter) text->setModified(false);
            break;
        }
        case QEvent::FocusIn:
        case QEvent::FocusOut:
            text->setModified(false);
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace splitscope::ui
