// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTextBrowser>

namespace splitscope::ui {

/// A heading as links of Markdown name it: "#the-window".
QString anchor_of(const QString& heading);

/// The user guide, as it is in the documents.
class GuideDialog : public QDialog {
    Q_OBJECT
 public:
    explicit GuideDialog(QWidget* parent = nullptr);
    QTextBrowser& text() { return *text_; }
    /// Brings the heading of an anchor to the top; false when there is none.
    bool show_heading(const QString& anchor);

 private:
    void follow(const QUrl& link);

    QTextBrowser* text_;
};

}  // namespace splitscope::ui
