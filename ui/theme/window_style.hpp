// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QIcon>
#include <QProxyStyle>

namespace splitscope::ui {

/// Fusion with one icon of each standard kind. Fusion makes a new one each time that it is asked, for each
/// dock that floats; Qt 6.4 keeps the name of every icon that was ever painted.
class WindowStyle final : public QProxyStyle {
    Q_OBJECT
 public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    QIcon standardIcon(StandardPixmap kind, const QStyleOption* option, const QWidget* widget) const override;

 private:
    mutable QHash<int, QIcon> icons_;
};

}  // namespace splitscope::ui
