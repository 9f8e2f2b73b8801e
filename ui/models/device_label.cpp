// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_label.hpp"

#include <QRegularExpression>
#include <algorithm>

#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QString product_of(const Session& session, const std::string& backend) {
    const auto facts = session.devices.find(backend);
    return facts == session.devices.end() ? QString() : short_device_title(facts->second.title);
}

}  // namespace

QString short_device_title(std::string_view title) {
    static const QRegularExpression trade_marks(QStringLiteral(R"(\((R|TM|r|tm)\))"));
    static const QRegularExpression details(QStringLiteral(R"((,| \(| @ | CPU\b).*$)"));
    static const QRegularExpression maker(
        QStringLiteral(R"(^(NVIDIA|AMD|Intel|Apple)\s+((GeForce|Radeon)\s+)?)"));
    static const QRegularExpression memory(QStringLiteral(R"(\s+(Laptop GPU\s+)?\d+\s?GB$)"));
    QString text = to_text(title);
    text.remove(trade_marks);
    text.remove(details);
    text.remove(maker);
    // A laptop's device is another one than that of the same number.
    const bool laptop = text.contains(QStringLiteral("Laptop GPU"));
    text.remove(memory);
    text.remove(QStringLiteral(" Laptop GPU"));
    text = text.simplified();
    return laptop && !text.isEmpty() ? text + QStringLiteral(" Laptop") : text;
}

QString device_label(const Session& session, BackendId backend) {
    const auto& backends = session.machine.backends;
    if (!backend.valid() || backend.index() >= backends.size()) return {};
    const std::string& name = backends[backend.index()].name;
    const QString product = product_of(session, name);
    if (product.isEmpty()) return to_text(name);
    const auto alike = std::ranges::count_if(
        backends, [&](const MachineBackend& other) { return product_of(session, other.name) == product; });
    return alike > 1 ? QStringLiteral("%1 (%2)").arg(product, to_text(name)) : product;
}

QString device_label(const Session& session, std::string_view backend) {
    const auto& backends = session.machine.backends;
    const auto found = std::ranges::find(backends, backend, &MachineBackend::name);
    return found == backends.end() ? to_text(backend)
                                   : device_label(session, BackendId(std::size_t(found - backends.begin())));
}

}  // namespace splitscope::ui
