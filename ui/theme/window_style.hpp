// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QIcon>
#include <QPalette>
#include <QProxyStyle>
#include <utility>

namespace splitscope::ui {

/// Fusion that can be painted for days. Qt 6.4 keeps the name of every picture that was ever in its cache,
/// and Fusion names them anew all the time: its icons whenever it is asked for one, its arrows by the
/// palette, of which every widget with a style sheet has its own.
class WindowStyle final : public QProxyStyle {
    Q_OBJECT
 public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    QIcon standardIcon(StandardPixmap kind, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;

 private:
    /// The one with these colours of texts.
    const QPalette& palette_of_texts(const QPalette& palette) const;

    mutable QHash<int, QIcon> icons_;
    mutable QHash<std::pair<QRgb, QRgb>, QPalette> palettes_;
};

}  // namespace splitscope::ui
