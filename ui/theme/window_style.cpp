// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.hpp"

#include <QPainter>
#include <QStyleOption>

namespace splitscope::ui {

QIcon WindowStyle::standardIcon(StandardPixmap kind, const QStyleOption* option,
                                const QWidget* widget) const {
    const auto kept = icons_.constFind(kind);
    if (kept != icons_.constEnd()) return *kept;
    return *icons_.insert(kind, QProxyStyle::standardIcon(kind, option, widget));
}

int WindowStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (metric == PM_DockWidgetSeparatorExtent) return 2;
    return QProxyStyle::pixelMetric(metric, option, widget);
}

void WindowStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    switch (element) {
        case PE_IndicatorDockWidgetResizeHandle: {
            const bool hovered = option->state.testFlag(State_MouseOver);
            painter->fillRect(option->rect,
                              option->palette.color(hovered ? QPalette::Highlight : QPalette::Mid));
            return;
        }
        case PE_IndicatorArrowUp:
        case PE_IndicatorArrowDown:
        case PE_IndicatorArrowLeft:
        case PE_IndicatorArrowRight: {
            QStyleOption arrow;
            arrow.rect = option->rect;
            arrow.state = option->state;
            arrow.direction = option->direction;
            arrow.palette = palette_of_texts(option->palette);
            QProxyStyle::drawPrimitive(element, &arrow, painter, widget);
            return;
        }
        default:
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

const QPalette& WindowStyle::palette_of_texts(const QPalette& palette) const {
    const QColor window = palette.color(QPalette::WindowText);
    const QColor button = palette.color(QPalette::ButtonText);
    QPalette& kept = palettes_[{window.rgba(), button.rgba()}];
    if (!kept.isBrushSet(QPalette::Active, QPalette::WindowText)) {
        kept.setColor(QPalette::WindowText, window);
        kept.setColor(QPalette::ButtonText, button);
    }
    return kept;
}

}  // namespace splitscope::ui
