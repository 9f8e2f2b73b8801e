// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

namespace splitscope::ui {

/// A QApplication that survives exceptions in event handlers, such as failed allocations, and shows plain
/// text by default (see PlainText).
class Application : public QApplication {
    Q_OBJECT
 public:
    Application(int& argc, char** argv);

    /// Without a receiver of failed(), exceptions propagate as in QApplication.
    bool notify(QObject* receiver, QEvent* event) override;

 signals:
    /// An event handler threw; its effect is missing or incomplete.
    void failed(const QString& what);
};

}  // namespace splitscope::ui
