// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a program under the debugger: program_screenshots FOLDER NODE PROGRAM ARGS…, which stops at
// NODE in the third graph. The program is run once per theme.
#include <QApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <iostream>

#include "backends/all_backends.hpp"
#include "tests/gui/panels.hpp"
#include "ui/application.hpp"
#include "ui/dialogs/program_dialog.hpp"
#include "ui/language.hpp"
#include "ui/panels/program_panel.hpp"

namespace {

using splitscope::ui::MainWindow;
using splitscope::ui::ProgramDialog;
using splitscope::ui::Settings;
using splitscope::ui::Theme;
using splitscope::ui::ThemeMode;

struct Look {
    const char* name;
    ThemeMode mode;
    QSize size;
    splitscope::ui::Language language = splitscope::ui::Language::english;
};

bool wait(auto&& done) {
    return QTest::qWaitFor(done, 60000);
}

bool take_program(const QDir& folder, const std::string& node, const QString& command, const Look& look) {
    const splitscope::ui::Translation translation(look.language);
    QTemporaryDir store;
    Settings settings(store.filePath(QStringLiteral("settings.ini")));
    Theme theme;
    theme.set_mode(look.mode);
    splitscope::ui::Document document(splitscope::all_backends());
    MainWindow window(document, theme, settings);
    window.resize(look.size);
    window.reset_layout();
    window.show();
    const auto save = [&](QWidget& widget, const QString& name) {
        QTest::qWait(300);
        const QString path = folder.filePath(QStringLiteral("%1-%2.png").arg(QLatin1String(look.name), name));
        widget.grab().toImage().convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0);
    };
    const auto settled = [&] {
        return !document.analyse_job().running() && !graph_panel(window).layout_job().running() &&
               !window.program().show_job().running() && !window.program().times_job().running() &&
               !tensor_panel(window).busy();
    };
    // Breakpoints are changes of the session.
    settings.set_confirm_before_discard(false);
    window.open_sample();
    if (!wait([&] { return document.analysis() && settled(); })) return false;
    window.run_control().breakpoints().add(splitscope::BreakpointKind::node, node);
    auto& breakpoints = window.run_control().breakpoints();
    breakpoints.setData(breakpoints.index(0, splitscope::ui::BreakpointTable::kLimits),
                        QStringLiteral("graph=3"), Qt::EditRole);
    window.ask_program();
    ProgramDialog& dialog = *window.findChild<ProgramDialog*>();
    dialog.command().setPlainText(command);
    dialog.pause_first().setChecked(false);
    dialog.time_nodes().setChecked(true);
    save(dialog, QStringLiteral("1-dialog"));
    dialog.start().click();
    auto& control = window.run_control();
    if (!wait([&] {
            return control.state() == splitscope::ui::RunState::paused || !window.program().active();
        }))
        return false;
    if (control.state() != splitscope::ui::RunState::paused) {
        std::cerr << window.program().describe().toStdString() << '\n';
        return false;
    }
    window.show_panel(QStringLiteral("tensor"));
    if (!wait(settled)) return false;
    save(window, QStringLiteral("2-stopped"));
    auto& panel = panel_of<splitscope::ui::ProgramPanel>(window, "program");
    panel.tabs().setCurrentIndex(splitscope::ui::ProgramPanel::kGraphs);
    window.show_panel(QStringLiteral("splits"));
    save(window, QStringLiteral("3-graphs"));
    panel.tabs().setCurrentIndex(splitscope::ui::ProgramPanel::kOurs);
    window.show_panel(QStringLiteral("nodes"));
    save(window, QStringLiteral("4-ours"));
    window.show_panel(QStringLiteral("run"));
    run_panel(window).show_breakpoints();
    save(window, QStringLiteral("5-breakpoints"));
    window.show_panel(QStringLiteral("program"));
    panel.tabs().setCurrentIndex(splitscope::ui::ProgramPanel::kConsole);
    window.show_panel(QStringLiteral("tensor"));
    auto& values = tensor_panel(window).model();
    if (!wait(settled) || !values.setData(values.index(0, 0), 123.5, Qt::EditRole) || !wait(settled))
        return false;
    save(window, QStringLiteral("6-edited"));
    const auto step = [&](void (splitscope::ui::RunControl::*go)()) {
        const std::uint64_t before = control.at()->number;
        (control.*go)();
        return wait([&] { return control.at() && control.at()->number > before; }) && wait(settled);
    };
    if (!step(&splitscope::ui::RunControl::step_node)) return false;
    save(window, QStringLiteral("7-stepped"));
    window.program().step_graph();
    if (!wait([&] { return control.at() && !control.at()->tensor.valid(); }) || !wait(settled)) return false;
    window.show_panel(QStringLiteral("why"));
    save(window, QStringLiteral("8-next-token"));
    window.show_panel(QStringLiteral("program"));
    control.breakpoints().clear();
    control.resume();
    if (!wait([&] { return !window.program().active(); }) || !wait(settled)) return false;
    window.show_panel(QStringLiteral("timeline"));
    save(window, QStringLiteral("9-timeline"));
    window.show_panel(QStringLiteral("profile"));
    save(window, QStringLiteral("10-profile"));
    window.show_panel(QStringLiteral("program"));
    save(window, QStringLiteral("11-ended"));
    // Again, to be killed where it stands.
    window.ask_program();
    ProgramDialog& again = *window.findChildren<ProgramDialog*>().back();
    again.pause_first().setChecked(true);
    again.start().click();
    if (!wait([&] { return control.state() == splitscope::ui::RunState::paused; }) || !wait(settled))
        return false;
    window.program().signal_now(SIGKILL);
    if (!wait([&] { return !window.program().active(); }) || !wait(settled)) return false;
    save(window, QStringLiteral("12-killed"));
    // A program that the engine ends.
    window.ask_program();
    ProgramDialog& last = *window.findChildren<ProgramDialog*>().back();
    last.environment().setPlainText(QStringLiteral("REFERENCE_HOST_ABORT=1"));
    last.start().click();
    if (!wait([&] { return window.program().ended().has_value() && !window.program().active(); }))
        return false;
    save(window, QStringLiteral("13-aborted"));
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const splitscope::ui::Application application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 4) {
        std::cerr << "usage: program_screenshots FOLDER NODE PROGRAM ARGS...\n";
        return 2;
    }
    QDir().mkpath(arguments[1]);
    bool fine = true;
    for (const Look& look :
         {Look{"dark-1366", ThemeMode::dark, {1366, 768}}, Look{"light-1366", ThemeMode::light, {1366, 768}},
          Look{"dark-1920", ThemeMode::dark, {1920, 1080}},
          Look{"light-1920", ThemeMode::light, {1920, 1080}},
          Look{"chinese-1366", ThemeMode::light, {1366, 768}, splitscope::ui::Language::chinese}}) {
        fine = take_program(QDir(arguments[1]), arguments[2].toStdString(),
                            arguments.mid(3).join(QLatin1Char(' ')), look) &&
               fine;
    }
    return fine ? 0 : 1;
}
