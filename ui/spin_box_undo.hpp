// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace splitscope::ui {

/// Lets the window undo and redo while a spin box has the focus. Qt gives these keys to its text, also when
/// no text is being typed.
class SpinBoxUndo : public QObject {
    Q_OBJECT
 public:
    /// Applies to all windows of the application, which owns the object.
    explicit SpinBoxUndo(QObject& application);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace splitscope::ui
