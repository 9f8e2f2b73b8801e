// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/device_label.hpp"

#include <algorithm>

#include "engine/planning/device_label.hpp"
#include "engine/planning/this_computer.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

Message with_labels(const Message& message, const Session& session) {
    if (message.empty()) return message;
    std::vector<Argument> arguments = message.arguments();
    for (Argument& argument : arguments) {
        if (auto* name = std::get_if<Name>(&argument)) {
            name->text = device_label(session, name->text).toStdString();
        } else if (auto* list = std::get_if<MessageList>(&argument)) {
            for (Message& item : list->items) item = with_labels(item, session);
        }
    }
    return {*message.text(), std::move(arguments)};
}

}  // namespace

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
    const auto& backends = session.machine.backends;
    const auto found = std::ranges::find(backends, backend, &MachineBackend::name);
    return found == backends.end() ? to_text(backend)
                                   : device_label(session, BackendId(std::size_t(found - backends.begin())));
}

QString message_text(const Message& message, const Session& session) {
    return message_text(with_labels(message, session));
}

}  // namespace splitscope::ui
