// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QObject>
#include <QPointer>

namespace splitscope::ui {

/// Makes labels and tool tips plain text by default. Qt detects rich text automatically, and rich text can
/// load files: a tensor's name could block the window on a pipe. Use QLabel::setTextFormat() or
/// show_rich_tip() for markup, with all names escaped.
class PlainText : public QObject {
    Q_OBJECT
 public:
    /// Applies to all windows of the application, which owns the object.
    explicit PlainText(QObject& application);

    /// Shows a rich-text tool tip; empty hides it. The widget must handle all tool tip events itself.
    static void show_rich_tip(QPoint place, const QString& markup, QWidget& widget);

    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void polished(QLabel& label);
    void prepare_markup_of(QWidget& widget);
    void end_markup();

    QPointer<QLabel> tip_;         ///< Qt's label of the last tip
    QPointer<QWidget> markup_of_;  ///< the widget whose markup it may show
    bool showing_markup_ = false;
};

}  // namespace splitscope::ui
