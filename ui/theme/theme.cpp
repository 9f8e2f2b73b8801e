// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <QSvgRenderer>
#include <array>
#include <utility>

#include "ui/theme/window_style.hpp"

static void load_resources() {
    Q_INIT_RESOURCE(splitscope);
}

namespace splitscope::ui {
namespace {

QPalette palette_of(const Colours& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.panel);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.field);
    p.setColor(QPalette::AlternateBase, c.panel);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.faint);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::BrightText, c.error);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.accent_text);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, c.faint);
    }
    return p;
}

QString style_sheet(const Colours& c) {
    QFile file(QStringLiteral(":/themes/splitscope.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    const std::array<std::pair<const char*, QColor>, 13> names{{{"window", c.window},
                                                                {"panel", c.panel},
                                                                {"raised", c.raised},
                                                                {"field", c.field},
                                                                {"border", c.border},
                                                                {"text", c.text},
                                                                {"muted", c.muted},
                                                                {"faint", c.faint},
                                                                {"accent", c.accent},
                                                                {"accent_text", c.accent_text},
                                                                {"hover", c.hover},
                                                                {"error", c.error},
                                                                {"copy", c.copy}}};
    for (const auto& [name, colour] : names) {
        text.replace(QLatin1Char('@') + QLatin1String(name) + QLatin1Char('@'), colour.name());
    }
    return text;
}

QPixmap draw(QByteArray svg, const QColor& colour) {
    svg.replace("#808080", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(64, 64);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

}  // namespace

Theme::Theme(QObject* parent)
    : QObject(parent), system_is_dark_(QApplication::palette().color(QPalette::Window).lightness() < 128) {
    load_resources();
    connect(&regions_, &StyledRegions::applied, this, &Theme::applied);
    colours_ = load_colours(system_is_dark_ ? QStringLiteral("dark") : QStringLiteral("light"));
}

void Theme::set_mode(ThemeMode mode) {
    mode_ = mode;
    const bool dark = mode == ThemeMode::dark || (mode == ThemeMode::system && system_is_dark_);
    // Nothing to change, and Qt leaks some memory per style sheet.
    if (has_style_ && colours_.dark == dark) return;
    colours_ = load_colours(dark ? QStringLiteral("dark") : QStringLiteral("light"));
    // Identical in all themes: widgets are polished for colours only.
    const bool first = !std::exchange(has_style_, true);
    if (first) QApplication::setStyle(new WindowStyle);
    QApplication::setPalette(palette_of(colours_));
    if (first) {
        qApp->setStyleSheet(style_sheet(colours_));
    } else {
        regions_.set_sheet(style_sheet(colours_));
    }
    emit changed();
}

QIcon Theme::swatch(BackendId id, std::size_t backend_count) const {
    const QColor colour = backend(id, backend_count);
    if (const auto kept = swatches_.constFind(colour.rgba()); kept != swatches_.constEnd()) return *kept;
    QPixmap pixmap(12, 12);
    pixmap.fill(colour);
    QIcon icon(pixmap);
    // The style would tint it in a selected row.
    icon.addPixmap(pixmap, QIcon::Selected);
    return *swatches_.insert(colour.rgba(), icon);
}

QIcon Theme::icon(const QString& name) const {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    icon.addPixmap(draw(svg, colours_.text), QIcon::Normal);
    icon.addPixmap(draw(svg, colours_.faint), QIcon::Disabled);
    return icon;
}

}  // namespace splitscope::ui
