// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QString>

namespace splitscope::ui {

/// The application, which outlives what fails while an event is handled, such as too little memory, and whose
/// windows show texts as they are (see PlainText).
class Application : public QApplication {
    Q_OBJECT
 public:
    Application(int& argc, char** argv);

    /// Without anybody to tell (failed) it ends as Qt's own.
    bool notify(QObject* receiver, QEvent* event) override;

 signals:
    /// What the event should have done is not done, or in part.
    void failed(const QString& what);
};

}  // namespace splitscope::ui
