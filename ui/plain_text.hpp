// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QObject>
#include <QPointer>

namespace splitscope::ui {

/// Makes labels and tips show texts as they are. Left to itself Qt takes for markup whatever looks like it,
/// and markup opens the files it names: the name of a tensor could make the window wait for a pipe. Who means
/// markup says so, with QLabel::setTextFormat() or show_rich_tip(), and escapes every name in it.
class PlainText : public QObject {
    Q_OBJECT
 public:
    /// For all windows of the application, whose child it becomes.
    explicit PlainText(QObject& application);

    /// A tip of our own markup; an empty one hides it. The widget shows no other tips, and takes all events
    /// that ask for one.
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
