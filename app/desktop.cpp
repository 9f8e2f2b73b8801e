// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop.hpp"

#include <QApplication>
#include <QIcon>

#include "ui/main_window.hpp"
#include "ui/settings.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope {

int run_desktop(int argc, char** argv, const std::optional<std::filesystem::path>& file) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Splitscope"));
    QApplication::setApplicationVersion(QStringLiteral(SPLITSCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("splitscope"));

    ui::Theme theme;
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/splitscope.svg")));
    ui::Settings settings;
    theme.set_mode(settings.theme());
    ui::Document document;
    ui::MainWindow window(document, theme, settings);
    window.show();
    if (file) {
        window.open_file(*file);
    } else {
        window.open_sample();
    }
    return QApplication::exec();
}

}  // namespace splitscope
