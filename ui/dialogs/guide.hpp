// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTextBrowser>

namespace splitscope::ui {

/// The Markdown anchor of a heading: "#the-window".
QString anchor_of(const QString& heading);

/// Shows the user guide.
class GuideDialog : public QDialog {
    Q_OBJECT
 public:
    explicit GuideDialog(QWidget* parent = nullptr);
    QTextBrowser& text() { return *text_; }
    /// Scrolls to the heading of an anchor; false if there is none.
    bool show_heading(const QString& anchor);

 private:
    void follow(const QUrl& link);

    QTextBrowser* text_;
};

}  // namespace splitscope::ui
