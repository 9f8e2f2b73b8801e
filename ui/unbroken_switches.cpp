// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/unbroken_switches.hpp"

#include <QGuiApplication>
#include <QRegularExpression>

namespace splitscope::ui {
namespace {

/// A hyphen with a word joiner, which is invisible and keeps its neighbours on one line. Unlike the
/// non-breaking hyphen, it leaves the hyphen itself as it is, and other text does not use it there.
const QString kJoinedHyphen = QStringLiteral("-\u2060");

}  // namespace

QString with_unbroken_switches(const QString& text) {
    static const QRegularExpression kSwitch(QStringLiteral("(?<![\\w-])--?[A-Za-z][\\w-]*"));
    QString joined;
    qsizetype end = 0;
    for (auto found = kSwitch.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        joined += text.mid(end, match.capturedStart() - end);
        joined += match.captured().replace(QLatin1Char('-'), kJoinedHyphen);
        end = match.capturedEnd();
    }
    return joined + text.mid(end);
}

QString with_plain_switches(QString text) {
    return text.replace(kJoinedHyphen, QStringLiteral("-"));
}

CopiedSwitches::CopiedSwitches(QObject& application) : QObject(&application) {
    connect(QGuiApplication::clipboard(), &QClipboard::changed, this, &CopiedSwitches::restore);
}

void CopiedSwitches::restore(QClipboard::Mode mode) {
    // Other programs copy while they have the focus.
    if (QGuiApplication::focusWindow() == nullptr) return;
    QClipboard& clipboard = *QGuiApplication::clipboard();
    const QString text = clipboard.text(mode);
    if (text.contains(kJoinedHyphen)) clipboard.setText(with_plain_switches(text), mode);
}

}  // namespace splitscope::ui
