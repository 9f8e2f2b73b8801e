// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/memory_box.hpp"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <optional>
#include <utility>

namespace splitscope::ui {
namespace {

constexpr double kMost = 1 << 20;
constexpr double kMebibytes = 1024;  ///< of a GiB
constexpr int kDecimals = 9;         ///< single bytes

/// As many decimals as the number needs, up to three.
QString number_text(double number) {
    return QLocale::c().toString(number, 'f', 3).remove(QRegularExpression(QStringLiteral("\\.?0+$")));
}

std::optional<double> gibibytes_in(QString text) {
    double unit = 1;
    text = text.trimmed();
    for (const auto& [name, size] : {std::pair("GiB", 1.0), std::pair("MiB", 1 / kMebibytes)}) {
        if (!text.endsWith(QLatin1String(name), Qt::CaseInsensitive)) continue;
        text.chop(3);
        unit = size;
        break;
    }
    bool read = false;
    const double number = QLocale::c().toDouble(text.trimmed(), &read);
    if (!read || number < 0) return std::nullopt;
    return number * unit;
}

}  // namespace

MemoryBox::MemoryBox(const QString& none) {
    setRange(0, kMost);
    setDecimals(kDecimals);
    setSpecialValueText(none);
    setKeyboardTracking(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QString MemoryBox::textFromValue(double gibibytes) const {
    if (gibibytes >= 1 || gibibytes == 0) return tr("%1 GiB").arg(number_text(gibibytes));
    return tr("%1 MiB").arg(number_text(gibibytes * kMebibytes));
}

double MemoryBox::valueFromText(const QString& text) const {
    // The text may have fewer digits than the value, which must not change unless it is edited.
    return text == textFromValue(value()) ? value() : gibibytes_in(text).value_or(value());
}

QValidator::State MemoryBox::validate(QString& text, int&) const {
    if (text == specialValueText()) return QValidator::Acceptable;
    const std::optional<double> gibibytes = gibibytes_in(text);
    return gibibytes && *gibibytes <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void MemoryBox::stepBy(int steps) {
    for (; steps > 0; --steps) setValue(value() >= 1 ? value() + 1 : std::max(1 / kMebibytes, 2 * value()));
    for (; steps < 0; ++steps) setValue(value() >= 2 ? value() - 1 : value() / 2);
}

}  // namespace splitscope::ui
