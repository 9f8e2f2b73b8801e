// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>
#include <cstdint>
#include <vector>

#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// The status bar: what runs with its progress and a way to cancel it, notes, errors with a remedy.
class StatusLine : public QStatusBar {
    Q_OBJECT
 public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// What becomes of error messages when a job starts.
    enum class Errors : std::uint8_t {
        replaced,  ///< those of before go, they were about something else
        own,       ///< only its own goes: nobody asked for the job just now
        lasting,   ///< and its own stays until it runs again, or clear_error()
    };
    /// Shows this job while it runs. The channel must outlive the bar's use of it.
    void watch(JobChannel& job, Errors errors = Errors::replaced);
    void set_note(const QString& note);
    QString note() const { return note_->text(); }
    /// `note` with %1 as a link that opens `file`, and nothing else to fill in.
    void set_file_note(const QString& note, const QString& file);
    void clear_note() { set_note({}); }
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
    void show_error_of(const JobChannel* job, bool lasting, const QString& text);

    std::vector<JobChannel*> jobs_;
    QLabel* doing_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QLabel* note_;
    QLabel* facts_;
    QLabel* error_;
    const JobChannel* error_of_ = nullptr;  ///< the job that failed; null for other errors
    bool error_lasts_ = false;
    QTimer delay_;  ///< short jobs do not flicker
};

}  // namespace splitscope::ui
