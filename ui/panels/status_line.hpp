// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <vector>

#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// The status bar: what runs with its progress and a way to cancel it, notes, errors with a remedy.
class StatusLine : public QStatusBar {
    Q_OBJECT
 public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// Shows this job while it runs. The channel must outlive the bar's use of it.
    void watch(JobChannel& job);
    void set_note(const QString& note);
    /// Shown on the right all the time.
    void set_facts(const QString& facts);
    void show_error(const QString& text);
    void clear_error();
    QString error() const { return error_->isVisibleTo(this) ? error_->text() : QString(); }
    void cancel_jobs();
    /// Shows a job that takes a while.
    bool busy() const { return doing_->isVisibleTo(this); }

 private:
    void show_jobs();

    std::vector<JobChannel*> jobs_;
    QLabel* doing_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QLabel* note_;
    QLabel* facts_;
    QLabel* error_;
    QTimer delay_;  ///< short jobs do not flicker
};

}  // namespace splitscope::ui
