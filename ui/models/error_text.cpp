// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/error_text.hpp"

#include <QCoreApplication>

#include "ui/models/engine_text.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

struct ErrorTextWords {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::ErrorText)
};

/// The places that have no name of their own; all others are files, tensors, devices.
constexpr const char* kPlaces[] = {
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "prompt"),
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "run"),
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "compare"),
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "debugger"),
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "breakpoint"),
    QT_TRANSLATE_NOOP("splitscope::ui::ErrorText", "pattern"),
};

QString place_text(const std::string& where) {
    for (const char* place : kPlaces) {
        if (where == place) return QCoreApplication::translate("splitscope::ui::ErrorText", place);
    }
    return engine_text(where);
}

QString one_line(QString text) {
    return text.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\r'), QLatin1Char(' '));
}

QString with_remedy(const QString& problem, const Error& error) {
    return error.remedy().empty() ? problem : ErrorTextWords::tr("%1 — %2").arg(problem, remedy_text(error));
}

}  // namespace

QString error_text(const Error& error) {
    return with_remedy(problem_text(error), error);
}

QString problem_text(const Error& error) {
    const QString problem = one_line(engine_text(error.problem()));
    return error.where().empty() ? problem
                                 : ErrorTextWords::tr("%1: %2").arg(one_line(place_text(error.where())), problem);
}

QString advice_text(const Error& error) {
    return with_remedy(one_line(engine_text(error.problem())), error);
}

QString remedy_text(const Error& error) {
    return one_line(engine_text(error.remedy()));
}

}  // namespace splitscope::ui
