// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QIcon>
#include <QPalette>
#include <QProxyStyle>
#include <utility>

namespace splitscope::ui {

/// Fusion style without its memory growth: Qt 6.4 never frees keys of cached pixmaps, and Fusion generates
/// new ones for icons and, per palette, for arrows; every widget with a style sheet has a separate palette.
class WindowStyle final : public QProxyStyle {
    Q_OBJECT
 public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    QIcon standardIcon(StandardPixmap kind, const QStyleOption* option, const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option = nullptr,
                    const QWidget* widget = nullptr) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;

 private:
    /// A shared palette with these text colours.
    const QPalette& palette_of_texts(const QPalette& palette) const;

    mutable QHash<int, QIcon> icons_;
    mutable QHash<std::pair<QRgb, QRgb>, QPalette> palettes_;
};

}  // namespace splitscope::ui
