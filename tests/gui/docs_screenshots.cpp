// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the pictures of the documentation, so that they are current: docs_screenshots DOCS-FOLDER. Those of a
// program under the debugger and of an engine are taken if SPLITSCOPE_REFERENCE names the engine's folder.
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <iostream>

#include "backends/all_backends.hpp"
#include "engine/session/resources.hpp"
#include "tests/gui/panels.hpp"
#include "ui/application.hpp"
#include "ui/dialogs/program_dialog.hpp"
#include "ui/dialogs/report_dialog.hpp"
#include "ui/dialogs/verify_dialog.hpp"

namespace {

using splitscope::TensorId;
using splitscope::ui::MainWindow;
using splitscope::ui::Settings;
using splitscope::ui::Theme;
using splitscope::ui::ThemeMode;

/// The tensor of that name; none if the sample has changed.
TensorId tensor_named(const splitscope::Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        if (graph.tensors[i].name == name) return TensorId(i);
    }
    return {};
}

class Photographer {
 public:
    Photographer(const QDir& docs, ThemeMode mode) : docs_(docs), settings_(store_.filePath("settings.ini")) {
        theme_.set_mode(mode);
        settings_.set_confirm_before_discard(false);
        // Small enough to be readable in a page.
        window_.resize(1440, 900);
        window_.reset_layout();
        window_.show();
        window_.open_sample();
    }

    bool open() {
        return QTest::qWaitFor(
            [&] {
                return window_.document().analysis() && !window_.document().analyse_job().running() &&
                       !graph_panel(window_).layout_job().running();
            },
            60000);
    }

    /// The sample with a selected node at the boundary of its splits.
    bool whole(const QString& file) {
        const TensorId node = tensor_named(*window_.document().analysis()->graph, "kqv_out-2");
        if (node.valid()) window_.document().select_tensor(node);
        return save(file);
    }

    bool stepping(const QString& file) {
        window_.document().navigation().seek(window_.document().navigation().decision_count() / 2);
        window_.show_panel(QStringLiteral("decisions"));
        graph_panel(window_).canvas().fit();
        return save(file);
    }

    bool buffers(const QString& file) {
        window_.document().navigation().seek(window_.document().navigation().decision_count());
        window_.show_panel(QStringLiteral("buffers"));
        return save(file);
    }

    bool report(const QString& file) {
        splitscope::ui::ReportDialog dialog(window_.document().analysis(), run_panel(window_).result(),
                                            settings_, &window_);
        dialog.show();
        return QTest::qWaitFor([&] { return dialog.preview_ready(); }, 60000) && save(dialog, file);
    }

    bool run(const QString& file) {
        window_.show_panel(QStringLiteral("run"));
        run_panel(window_).start();
        const bool ended = QTest::qWaitFor([&] { return !run_panel(window_).running(); }, 60000);
        window_.show_panel(QStringLiteral("timeline"));
        return ended && save(file);
    }

    /// An unmodified program of the engine, stopped at a node.
    bool program(const QString& file, const QString& libraries) {
        window_.run_control().breakpoints().add(splitscope::BreakpointKind::node, "kqv_out-2");
        window_.ask_program();
        auto& dialog = *window_.findChild<splitscope::ui::ProgramDialog*>();
        // Short names, without the folders of this computer.
        const auto link = [this](const QString& target, const QString& name) {
            return QFile::link(target, store_.filePath(name));
        };
        if (!link(QApplication::applicationDirPath() + QStringLiteral("/reference_host"),
                  QStringLiteral("program")) ||
            !link(libraries, QStringLiteral("libraries")) ||
            !link(QString::fromStdString(splitscope::sample_model_path().string()),
                  QStringLiteral("model.gguf")))
            return false;
        dialog.folder().setText(store_.path());
        dialog.command().setPlainText(QStringLiteral("./program libraries model.gguf 0 4"));
        dialog.pause_first().setChecked(false);
        dialog.start().click();
        auto& control = window_.run_control();
        const bool stopped = QTest::qWaitFor(
            [&] {
                return control.state() == splitscope::ui::RunState::paused || !window_.program().active();
            },
            60000);
        if (!stopped || !window_.program().active()) return false;
        window_.show_panel(QStringLiteral("tensor"));
        window_.show_panel(QStringLiteral("program"));
        const bool shown = QTest::qWaitFor(
            [&] { return !tensor_panel(window_).busy() && !graph_panel(window_).layout_job().running(); },
            60000);
        const bool saved = shown && save(file);
        control.stop();
        return QTest::qWaitFor([&] { return !window_.program().active(); }, 60000) && saved;
    }

    /// The schedule of an engine's devices beside the simulation.
    bool verify(const QString& file, const QString& libraries) {
        window_.document().set_kind_option("engine", libraries.toStdString());
        auto& source = machine_panel(window_).source();
        source.use_this_computer();
        if (!QTest::qWaitFor([&] { return !source.job().running(); }, 60000) || !open()) return false;
        splitscope::ui::VerifyDialog dialog(window_.document().session(), &window_);
        dialog.show();
        return QTest::qWaitFor([&] { return !dialog.running(); }, 60000) && save(dialog, file);
    }

 private:
    bool save(const QString& file) { return save(window_, file); }
    bool save(QWidget& widget, const QString& file) {
        QTest::qWait(300);
        const QString path = docs_.filePath(file);
        // Quality 0 gives the smallest file; PNG is lossless.
        if (widget.grab().toImage().convertToFormat(QImage::Format_RGB888).save(path, "PNG", 0)) return true;
        std::cerr << path.toStdString() << ": cannot be written\n";
        return false;
    }

    QDir docs_;
    QTemporaryDir store_;
    Theme theme_;
    Settings settings_;
    splitscope::ui::Document document_{splitscope::all_backends()};
    MainWindow window_{document_, theme_, settings_};
};

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const splitscope::ui::Application application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 2) {
        std::cerr << "usage: docs_screenshots DOCS-FOLDER\n";
        return 2;
    }
    const QDir docs(arguments[1]);
    docs.mkpath(QStringLiteral("guide"));
    bool fine = true;
    {
        Photographer dark(docs, ThemeMode::dark);
        fine = dark.open() && dark.whole(QStringLiteral("screenshot-dark.png")) &&
               dark.stepping(QStringLiteral("guide/stepping.png")) &&
               dark.buffers(QStringLiteral("guide/buffers.png")) &&
               dark.run(QStringLiteral("guide/run.png")) && dark.report(QStringLiteral("guide/report.png"));
    }
    const QString libraries = qEnvironmentVariable("SPLITSCOPE_REFERENCE");
    if (libraries.isEmpty()) std::cerr << "SPLITSCOPE_REFERENCE is not set: no pictures of an engine\n";
    if (fine && !libraries.isEmpty()) {
        Photographer engine(docs, ThemeMode::dark);
        fine = engine.open() && engine.verify(QStringLiteral("guide/verify.png"), libraries) &&
               engine.program(QStringLiteral("guide/program.png"), libraries);
    }
    Photographer light(docs, ThemeMode::light);
    fine = fine && light.open() && light.whole(QStringLiteral("screenshot-light.png"));
    return fine ? 0 : 1;
}
