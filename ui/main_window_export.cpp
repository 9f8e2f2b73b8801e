// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the main window writes besides sessions and reports: images, tables and machines.
#include <algorithm>
#include <utility>

#include "engine/session/known_machine.hpp"
#include "engine/support/file.hpp"
#include "ui/main_window.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/graph_panel.hpp"
#include "ui/panels/status_line.hpp"
#include "ui/reports/table_csv.hpp"

namespace splitscope::ui {

void MainWindow::save_image(const QString& path, bool visible_only) {
    if (!graph_->canvas().content()) return;
    export_to(path, graph_->canvas().image_export(path, visible_only), tr("Image saved: %1"));
}

void MainWindow::save_csv(const QAbstractItemModel& table, const QString& path) {
    export_to(path, csv_export(table, path), tr("Table saved: %1"));
}

void MainWindow::save_machine_to(const std::filesystem::path& path) {
    save_machine_to(path, machine_of(document_.session()));
}

void MainWindow::save_machine_to(const std::filesystem::path& path, const KnownMachine& machine) {
    export_to(
        to_text(path.string()),
        [path, machine](const JobContext&) { write_file_atomically(path, write_known_machine(machine)); },
        tr("Machine saved: %1"));
}

bool MainWindow::exporting() const {
    return std::ranges::any_of(export_jobs_, [](const auto& job) { return job->running(); });
}

void MainWindow::export_to(const QString& path, std::function<void(const JobContext&)> write,
                           const QString& note) {
    idle_export_job().start(
        [file = document_.session().file, path, write = std::move(write)](const JobContext& job) {
            if (file) require_other_file(path.toStdString(), *file);
            write(job);
            return path;
        },
        [this, note](const QString& saved) { status_->set_file_note(note, saved); });
}

JobChannel& MainWindow::idle_export_job() {
    for (const auto& job : export_jobs_)
        if (!job->running()) return *job;
    JobChannel& job = *export_jobs_.emplace_back(std::make_unique<JobChannel>(tr("Exporting")));
    status_->watch(job, StatusLine::Errors::own);
    connect(&job, &JobChannel::failed, this, [this] { closes_after_exports_ = false; });
    connect(&job, &JobChannel::ended, this, [this] {
        if (!exporting() && std::exchange(closes_after_exports_, false)) close();
    });
    return job;
}

}  // namespace splitscope::ui
