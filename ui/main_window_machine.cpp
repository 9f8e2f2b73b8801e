// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and saving the machine in the main window.
#include <QFileDialog>

#include "engine/session/known_machine.hpp"
#include "ui/main_window.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

QString machine_files() {
    return MainWindow::tr("Machines (*.machine.json);;All files (*)");
}

}  // namespace

bool MainWindow::take_machine(const std::filesystem::path& path) {
    if (!is_machine_file(path)) return false;
    emit links_.machine_requested(path);
    return true;
}

void MainWindow::ask_machine() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a machine"), settings_.last_folder(), machine_files());
    if (path.isEmpty()) return;
    // Other files are refused with their type.
    emit links_.machine_requested(path.toStdString());
}

void MainWindow::ask_machine_target() {
    if (!document_.has_session()) return;
    QFileDialog dialog(this, tr("Save the machine"), settings_.last_folder(), machine_files());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("machine.json"));
    dialog.selectFile(suggested_name(QStringLiteral(".machine.json")));
    if (dialog.exec() == QDialog::Accepted) save_machine_to(dialog.selectedFiles().front().toStdString());
}

void MainWindow::connect_machine() {
    connect(&links_, &PanelLinks::machine_chosen, this, [this](const std::optional<KnownMachine>& machine) {
        settings_.set_machine(machine);
        apply_settings();
        if (!document_.has_session())
            status_->set_note(tr("%1 is now the machine for the next model")
                                  .arg(machine ? to_text(machine->machine.name) : tr("The simulated one")));
    });
    connect(&links_, &PanelLinks::machine_open_requested, this, &MainWindow::ask_machine);
    connect(&links_, &PanelLinks::machine_save_requested, this, &MainWindow::ask_machine_target);
    connect(&links_, &PanelLinks::program_chosen, this, [this](Program program) {
        settings_.set_program(program);
        apply_settings();
    });
}

}  // namespace splitscope::ui
