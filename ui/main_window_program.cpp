// SPDX-License-Identifier: GPL-3.0-or-later
// Programs under the debugger, and captures of their graphs, in the main window.
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "engine/attach/capture_program.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/support/file.hpp"
#include "ui/dialogs/program_dialog.hpp"
#include "ui/main_window.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/program_panel.hpp"
#include "ui/panels/summary_bar.hpp"

namespace splitscope::ui {

void MainWindow::connect_program() {
    connect(&links_, &PanelLinks::program_requested, this, &MainWindow::ask_program);
    connect(&links_, &PanelLinks::program_machine_requested, this, &MainWindow::ask_program_machine);
    connect(&document_, &Document::not_built, this, &MainWindow::offer_capture);
    connect(summary_, &SummaryBar::program_requested, this, [this](int tab) {
        show_panel(QStringLiteral("program"));
        dynamic_cast<ProgramPanel&>(panel(QStringLiteral("program"))).tabs().setCurrentIndex(tab);
    });
    connect(&program_, &ProgramControl::refused, status_, &StatusLine::show_error);
    connect(&program_, &ProgramControl::changed, this, [this] { actions_.update(); });
}

void MainWindow::ask_program() {
    const bool model = document_.has_session() && document_.session().file->model;
    const QString open = model ? to_text(document_.session().file->path.string()) : QString();
    auto* dialog = new ProgramDialog(settings_, ProgramDialog::Purpose::debug, open, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ProgramDialog::chosen, this, [this](const ProgramSetup& setup) {
        if (!confirm_discard(Unsaved::all_but_breakpoints)) return;
        status_->clear_error();
        program_.launch(setup);
    });
    dialog->open();
}

void MainWindow::ask_capture(const QString& model) {
    QString chosen = model;
    if (chosen.isEmpty() && document_.has_session() && document_.session().file->model)
        chosen = to_text(document_.session().file->path.string());
    auto* dialog = new ProgramDialog(settings_, ProgramDialog::Purpose::capture, chosen, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ProgramDialog::chosen, this,
            [this, chosen](const ProgramSetup& setup) { capture(chosen, setup); });
    dialog->open();
}

void MainWindow::offer_capture(const QString& model, const QString& problem) {
    auto* box = new QMessageBox(QMessageBox::Information, tr("Architecture not built in"), problem,
                                QMessageBox::Close, this);
    box->setObjectName(QStringLiteral("offer-capture"));
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("Its graphs can be recorded with your own llama.cpp, which is run until it has scheduled them."));
    QPushButton* take = box->addButton(tr("Capture from llama.cpp …"), QMessageBox::AcceptRole);
    box->setDefaultButton(take);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(take, &QPushButton::clicked, this, [this, model] { ask_capture(model); });
    box->open();
}

void MainWindow::capture(const QString& model, const ProgramSetup& setup) {
    const QString name =
        QFileInfo(model.isEmpty() ? to_text(setup.command.front()) : model).completeBaseName();
    const QString folder = settings_.data_folder() + QStringLiteral("/captures");
    const std::filesystem::path path = QStringLiteral("%1/%2.capture.json").arg(folder, name).toStdString();
    AttachOptions options;
    options.program = setup.command;
    options.folder = setup.folder;
    options.environment = setup.environment;
    options.output = ProgramOutput::kept;
    status_->clear_error();
    capture_job_.start(
        [options, path](const JobContext& job) {
            const Capture captured = capture_program(options, job);
            QDir().mkpath(QString::fromStdString(path.parent_path().string()));
            write_file_atomically(path, write_capture_json(captured));
            return path;
        },
        [this](const std::filesystem::path& file) {
            status_->set_file_note(tr("Graphs captured: %1"), to_text(file.string()));
            confirm_and_open(file);
        });
}

void MainWindow::ask_program_machine() {
    const auto machine = program_.machine();
    if (!machine) return;
    QFileDialog dialog(this, tr("Save the machine"), settings_.last_folder(),
                       tr("Machines (*.machine.json);;All files (*)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("machine.json"));
    dialog.selectFile(program_.name() + QStringLiteral(".machine.json"));
    if (dialog.exec() != QDialog::Accepted) return;
    save_machine_to(dialog.selectedFiles().front().toStdString(), *machine);
}

bool MainWindow::confirm_program() {
    if (!program_.active()) return true;
    QMessageBox box(QMessageBox::Question, tr("Program under the debugger"),
                    tr("%1 is still running.").arg(program_.name()), QMessageBox::Cancel, this);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("The program can continue without the debugger."));
    QPushButton* leave = box.addButton(tr("Detach"), QMessageBox::AcceptRole);
    const QPushButton* end = box.addButton(tr("End the program"), QMessageBox::DestructiveRole);
    box.setDefaultButton(leave);
    box.exec();
    if (box.clickedButton() == leave) {
        program_.detach();
        return true;
    }
    if (box.clickedButton() != end) return false;
    program_.end_at_once();
    return true;
}

}  // namespace splitscope::ui
