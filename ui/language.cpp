// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language.hpp"

#include <QLibraryInfo>
#include <QLocale>

namespace splitscope::ui {

Translation::Translation(Language language) {
    const bool chinese = language == Language::chinese ||
                         (language == Language::system && QLocale::system().language() == QLocale::Chinese);
    if (!chinese) return;
    if (own_.load(QStringLiteral(":/translations/splitscope_zh_CN.qm")))
        QCoreApplication::installTranslator(&own_);
    if (of_qt_.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&of_qt_);
}

Translation::~Translation() {
    QCoreApplication::removeTranslator(&of_qt_);
    QCoreApplication::removeTranslator(&own_);
}

}  // namespace splitscope::ui
