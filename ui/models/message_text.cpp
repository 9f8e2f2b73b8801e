// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/message_text.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "engine/messages/render.hpp"
#include "ui/models/engine_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// Of all rows of the engine's catalogues in the translations; engine/messages/list_rows.sh puts them there.
constexpr const char* kContext = "splitscope::Message";

std::string translated(const MessageText& row, std::optional<std::uint64_t> count) {
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
    const QByteArray source(row.text.data(), static_cast<qsizetype>(row.text.size()));
    const int n = count ? static_cast<int>(std::min(*count, kMost)) : -1;
    const QString words = QCoreApplication::translate(kContext, source, nullptr, n);
    // Without a translation the source comes back, which is the plural.
    const QByteArray made = words.toUtf8();
    return made == source ? std::string(english_words(row, count)) : made.toStdString();
}

// TRANSITION: text that is not in a catalogue yet.
Message with_known_texts(const Message& message) {
    if (message.empty()) return message;
    std::vector<Argument> arguments = message.arguments();
    for (Argument& argument : arguments) {
        if (auto* list = std::get_if<MessageList>(&argument)) {
            for (Message& item : list->items) item = with_known_texts(item);
        } else if (auto* name = std::get_if<Name>(&argument); name != nullptr && message.id().empty()) {
            name->text = engine_text(name->text).toStdString();
        }
    }
    return {*message.text(), std::move(arguments)};
}

}  // namespace

QString message_text(const Message& message) {
    static const Wording wording = translated;
    return to_text(render(with_known_texts(message), wording));
}

}  // namespace splitscope::ui
