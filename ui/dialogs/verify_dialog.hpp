// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTextBrowser>
#include <vector>

#include "engine/session/verify_schedule.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// Compares the simulated schedule of each graph of a session with that of the devices' own scheduler, and
/// lists the differences. Starts when created.
class VerifyDialog : public QDialog {
    Q_OBJECT
 public:
    explicit VerifyDialog(const Session& session, QWidget* parent = nullptr);

    bool running() const { return job_.running(); }
    QString result_text() const { return result_->toPlainText(); }
    QPushButton& cancel() { return *cancel_; }

 private:
    void show_result(const std::vector<VerifiedGraph>& graphs);
    void show_text(const QString& text);

    JobChannel job_;
    QProgressBar* progress_;
    QTextBrowser* result_;
    QPushButton* cancel_;
};

}  // namespace splitscope::ui
