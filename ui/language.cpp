// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language.hpp"

#include <QLibraryInfo>
#include <QLocale>

namespace splitscope::ui {
namespace {

/// Buttons of Qt, whose own translation is not installed everywhere: here, so that they are extracted.
[[maybe_unused]] constexpr const char* kQtButtons[] = {
    QT_TRANSLATE_NOOP("QPlatformTheme", "OK"), QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"), QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
    QT_TRANSLATE_NOOP("QPlatformTheme", "Close")};

}  // namespace

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
