// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QClipboard>
#include <QObject>
#include <QString>

namespace splitscope::ui {

/// Text in which lines do not break after the hyphens of command-line switches, for labels that wrap.
QString with_unbroken_switches(const QString& text);
/// The same text with plain hyphens.
QString with_plain_switches(QString text);

/// Copied switches consist of plain hyphens, so that they can be pasted into a command line.
class CopiedSwitches : public QObject {
    Q_OBJECT
 public:
    /// Applies to everything copied from the application, which owns the object.
    explicit CopiedSwitches(QObject& application);

 private:
    void restore(QClipboard::Mode mode);
};

}  // namespace splitscope::ui
