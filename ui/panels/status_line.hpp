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

/// One line of text that never widens its window: text that does not fit is omitted and shown in the tooltip.
class OneLine : public QLabel {
 public:
    void set_line(const QString& text);
    const QString& line() const { return line_; }
    QSize sizeHint() const override;

 protected:
    void resizeEvent(QResizeEvent* event) override;

 private:
    void show_what_fits();

    QString line_;
};

/// The status bar: running jobs with progress and cancel button, notes, errors with remedies.
class StatusLine : public QStatusBar {
    Q_OBJECT
 public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// What happens to errors when a job starts.
    enum class Errors : std::uint8_t {
        replaced,  ///< earlier errors are cleared
        own,       ///< only the job's own error is cleared, because the user did not start it
        lasting,   ///< the job's own error stays until it runs again, or clear_error()
    };
    /// Shows this job while it runs. The channel must outlive the status line.
    void watch(JobChannel& job, Errors errors = Errors::replaced);
    void set_note(const QString& note);
    QString note() const { return note_->text(); }
    /// `note` contains %1, which becomes a link to `file`; other placeholders are not allowed.
    void set_file_note(const QString& note, const QString& file);
    void clear_note() { set_note({}); }
    /// Permanent text on the right.
    void set_facts(const QString& facts);
    void show_error(const QString& text);
    void clear_error();
    QString error() const { return error_->isVisibleTo(this) ? error_->line() : QString(); }
    void cancel_jobs();
    /// Whether a longer job is shown.
    bool busy() const { return doing_->isVisibleTo(this); }

 private:
    void show_jobs();
    void show_error_of(const JobChannel* job, bool lasting, const QString& text);

    std::vector<JobChannel*> jobs_;
    OneLine* doing_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QLabel* note_;
    QLabel* facts_;
    OneLine* error_;
    const JobChannel* error_of_ = nullptr;  ///< null for other errors
    bool error_lasts_ = false;
    QTimer delay_;  ///< avoids flicker for short jobs
};

}  // namespace splitscope::ui
