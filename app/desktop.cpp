// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop.hpp"

#include <QIcon>
#include <QTemporaryDir>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <unistd.h>

#include "engine/support/large_blocks.hpp"
#include "ui/application.hpp"
#include "ui/fonts.hpp"
#include "ui/language.hpp"
#include "ui/main_window.hpp"
#include "ui/reports/report_document.hpp"
#include "ui/settings.hpp"
#include "ui/theme/theme.hpp"

namespace splitscope {

namespace {

// Qt aborts if it cannot connect to a display; message handlers have no user data.
constinit std::atomic<char**> the_arguments = nullptr;

/// Restarts the program without display variables, to run headless.
void restart_headless(QtMsgType type, const QMessageLogContext& where, const QString& text) {
    std::fprintf(stderr, "%s\n", qPrintable(qFormatLogMessage(type, where, text)));
    if (type != QtFatalMsg) return;
    ::unsetenv("DISPLAY");
    ::unsetenv("WAYLAND_DISPLAY");
    ::unsetenv("QT_QPA_PLATFORM");
    ::execv("/proc/self/exe", the_arguments.load());
}

}  // namespace

int run_desktop(int argc, char** argv, BackendKinds kinds, const std::optional<std::filesystem::path>& file,
                MemoryBound bound) {
    return_large_blocks();
    the_arguments = argv;
    const QtMessageHandler previous = qInstallMessageHandler(restart_headless);
    ui::Application application(argc, argv);
    qInstallMessageHandler(previous);
    ui::add_fonts_if_none();
    QApplication::setApplicationName(QStringLiteral("Splitscope"));
    QApplication::setApplicationVersion(QStringLiteral(SPLITSCOPE_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("splitscope"));

    ui::Theme theme;
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/splitscope.svg")));
    ui::Settings settings;
    theme.set_mode(settings.theme());
    const ui::Translation translation(settings.language());
    ui::Document document(std::move(kinds));
    ui::MainWindow window(document, theme, settings);
    QObject::connect(&application, &ui::Application::failed, &window.status(), &ui::StatusLine::show_error);
    window.show();
    window.offer_recovery();
    const QStringList recent = settings.recent_files();
    if (file) {
        window.open_file(*file, bound);
    } else if (settings.start_with() == ui::StartWith::last_file && !recent.isEmpty()) {
        window.open_file(recent.front().toStdString(), bound);
    } else if (settings.start_with() != ui::StartWith::nothing) {
        window.open_sample();
    }
    if (!settings.tour_done() && !file) window.start_tour();
    return QApplication::exec();
}

std::string pdf_without_display(const Report& report) {
    const QTemporaryDir sockets;
    std::unique_ptr<QGuiApplication> application;
    int argc = 1;
    std::string name = "splitscope";
    std::array<char*, 2> argv = {name.data(), nullptr};
    if (QCoreApplication::instance() == nullptr) {
        // Fonts require an application, but no windows are created. Without a runtime folder, Qt would create
        // a permanent one and print a warning.
        if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR") && sockets.isValid())
            qputenv("XDG_RUNTIME_DIR", sockets.path().toLocal8Bit());
        qputenv("QT_QPA_PLATFORM", "offscreen");
        application = std::make_unique<QGuiApplication>(argc, argv.data());
        ui::add_fonts_if_none();
    }
    return ui::report_pdf(report).toStdString();
}

}  // namespace splitscope
