// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/error_text.hpp"

#include "ui/models/message_text.hpp"

namespace splitscope::ui {
namespace {

QString one_line(QString text) {
    return text.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\r'), QLatin1Char(' '));
}

QString text_of(const Error& error, bool with_place, bool with_remedy) {
    const Error shown(error.kind(), error.problem(), with_place ? error.place() : ErrorPlace(),
                      with_remedy ? error.remedy() : Message());
    return one_line(message_text(shown.message()));
}

}  // namespace

QString error_text(const Error& error) {
    return text_of(error, true, true);
}

QString problem_text(const Error& error) {
    return text_of(error, true, false);
}

QString advice_text(const Error& error) {
    return text_of(error, false, true);
}

QString remedy_text(const Error& error) {
    return one_line(message_text(error.remedy()));
}

}  // namespace splitscope::ui
