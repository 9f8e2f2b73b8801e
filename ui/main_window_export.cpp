// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the main window writes besides sessions: reports, timelines, images, tables and machines.
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
    return std::ranges::any_of(exports_, [](const Export& one) { return one.job->running(); });
}

void MainWindow::export_to(const QString& path, std::function<void(const JobContext&)> write,
                           const QString& note) {
    export_job(path).start(
        [file = document_.session().file, path, write = std::move(write)](const JobContext& job) {
            if (file) require_other_file(path.toStdString(), *file);
            write(job);
            return path;
        },
        [this, note](const QString& saved) {
            status_->set_file_note(note, saved);
            emit exported(saved);
        });
}

JobChannel& MainWindow::export_job(const QString& path) {
    const auto same = [&](const Export& one) { return one.job->running() && one.path == path; };
    auto found = std::ranges::find_if(exports_, same);
    if (found == exports_.end())
        found = std::ranges::find_if(exports_, [](const Export& one) { return !one.job->running(); });
    if (found != exports_.end()) {
        found->path = path;
        return *found->job;
    }
    exports_.push_back({std::make_unique<JobChannel>(tr("Exporting")), path});
    JobChannel& job = *exports_.back().job;
    status_->watch(job, StatusLine::Errors::own);
    connect(&job, &JobChannel::failed, this, [this] { closes_after_exports_ = false; });
    connect(&job, &JobChannel::ended, this, [this] {
        if (!exporting() && std::exchange(closes_after_exports_, false)) close();
    });
    return job;
}

}  // namespace splitscope::ui
