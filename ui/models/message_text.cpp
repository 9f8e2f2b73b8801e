// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/message_text.hpp"

#include <QByteArray>
#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "engine/messages/render.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// Of all rows of the engine's catalogues in the translations; engine/messages/list_rows.sh puts them there.
constexpr const char* kContext = "splitscope::Message";

std::string translated(const MessageText& row, std::optional<std::uint64_t> count) {
    constexpr std::uint64_t kMax = std::numeric_limits<int>::max();
    const QByteArray source(row.text.data(), static_cast<qsizetype>(row.text.size()));
    const int n = count ? static_cast<int>(std::min(*count, kMax)) : -1;
    const QString words = QCoreApplication::translate(kContext, source, nullptr, n);
    // Without a translation the source comes back, which is the plural.
    const QByteArray made = words.toUtf8();
    return made == source ? std::string(english_words(row, count)) : made.toStdString();
}

}  // namespace

QString message_text(const Message& message) {
    static const Wording wording = translated;
    return to_text(render(message, wording));
}

}  // namespace splitscope::ui
