// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colours.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace splitscope::ui {

QColor mix(const QColor& a, const QColor& b, double share_of_b) {
    const auto blend = [share_of_b](int x, int y) {
        return static_cast<int>(x + (y - x) * share_of_b + 0.5);
    };
    return {blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue())};
}

QColor Colours::backend(BackendId id, std::size_t backend_count) const {
    if (!id.valid()) return unassigned;
    if (id.index() + 1 >= backend_count) return cpu;
    return backends[id.index() % backends.size()];
}

QColor Colours::heat(double share) const {
    return mix(mix(block, edge, 0.25), warning, std::clamp(share, 0.0, 1.0));
}

QColor Colours::tinted(const QColor& colour, double strength) const {
    return mix(block, colour, strength);
}

Colours load_colours(const QString& name) {
    QFile file(QStringLiteral(":/themes/%1.json").arg(name));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    const QJsonObject json = opened ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
    const auto colour = [&json](const char* key) { return QColor(json[QLatin1String(key)].toString()); };

    Colours c;
    c.dark = json[QLatin1String("dark")].toBool();
    c.window = colour("window");
    c.panel = colour("panel");
    c.raised = colour("raised");
    c.field = colour("field");
    c.border = colour("border");
    c.text = colour("text");
    c.muted = colour("muted");
    c.faint = colour("faint");
    c.accent = colour("accent");
    c.accent_text = colour("accent_text");
    c.hover = colour("hover");
    c.copy = colour("copy");
    c.warning = colour("warning");
    c.error = colour("error");
    c.success = colour("success");
    c.canvas = colour("canvas");
    c.block = colour("block");
    c.edge = colour("edge");
    c.cpu = colour("cpu");
    c.unassigned = colour("unassigned");
    c.tint = json[QLatin1String("tint")].toDouble(0.3);
    for (const auto& value : json[QLatin1String("backends")].toArray())
        c.backends.emplace_back(value.toString());
    if (c.backends.empty()) c.backends.push_back(c.accent);
    return c;
}

}  // namespace splitscope::ui
