// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_label.hpp"

#include <algorithm>

#include "engine/planning/this_computer.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QString product_of(const Session& session, const std::string& backend) {
    const auto facts = session.devices.find(backend);
    return facts == session.devices.end() ? QString() : short_device_title(facts->second.title);
}

}  // namespace

QString short_device_title(std::string_view title) {
    return to_text(product_name(std::string(title)));
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

QString device_label(const Session& session, const Machine& machine, BackendId backend) {
    if (!backend.valid() || backend.index() >= machine.backends.size())
        return backend_label(machine, backend);
    return device_label(session, machine.backends[backend.index()].name);
}

QString device_label(const Session& session, std::string_view backend) {
    const auto& backends = session.machine.backends;
    const auto found = std::ranges::find(backends, backend, &MachineBackend::name);
    return found == backends.end() ? to_text(backend)
                                   : device_label(session, BackendId(std::size_t(found - backends.begin())));
}

}  // namespace splitscope::ui
