// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/fonts.hpp"

#include <QFontDatabase>
#include <QStringList>
#include <filesystem>

#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"

namespace splitscope::ui {

void add_fonts_if_none() {
    if (!QFontDatabase::families().isEmpty()) return;
    try {
        for (const auto& file : std::filesystem::directory_iterator(resource_path("fonts")))
            QFontDatabase::addApplicationFont(QString::fromStdString(file.path().string()));
    } catch (const Error&) {
        // Only the archive contains fonts; packages recommend one.
    }
}

}  // namespace splitscope::ui
