// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_label.hpp"

#include "engine/messages/render.hpp"
#include "engine/planning/device_label.hpp"
#include "engine/planning/this_computer.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
QString short_device_title(std::string_view title) {
    return to_text(product_name(std::string(title)));
}

QString device_label(const Session& session, BackendId backend) {
    return to_text(label_of_device(session, backend));
}

QString device_label(const Analysis& analysis, BackendId backend) {
    const auto& backends = analysis.machine->backends;
    if (!backend.valid() || backend.index() >= backends.size()) return QStringLiteral("–");
    return device_label(analysis.session, backends[backend.index()].name);
}

QString device_label(const Session& session, std::string_view backend) {
    return to_text(label_of_device(session, std::string(backend)));
}

QString message_text(const Message& message, const Session& session) {
    return message_text(
        with_names(message, [&](const std::string& name) { return label_of_device(session, name); }));
}

}  // namespace splitscope::ui
