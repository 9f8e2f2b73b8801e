// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/reports/report.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/reports/save_report.hpp"
#include "ui/settings.hpp"

namespace splitscope::ui {

/// Selects contents and format of a report, with a live preview. The last selection is remembered.
class ReportDialog : public QDialog {
    Q_OBJECT
 public:
    /// `run` may be null. The settings must outlive the dialog.
    ReportDialog(std::shared_ptr<const Analysis> analysis, std::shared_ptr<const RunResult> run,
                 Settings& settings, QWidget* parent = nullptr);

    ReportChoice choice() const;
    void set_section(std::string_view section, bool shown);
    void set_format(const QString& name);
    const QComboBox& compare_choice() const { return *compare_; }
    /// The preview as plain text.
    QString preview_text() const { return preview_->toPlainText(); }
    bool preview_ready() const { return shown_ != nullptr && !job_.running() && !preview_job_.running(); }

 signals:
    /// The user wants to save; the file name is still to be chosen.
    void save_requested(const splitscope::ui::ReportChoice& choice);

 private:
    void make_widgets();
    void restore();
    void remember();
    /// Rebuilds the report, for example after selecting a generation to compare with.
    void collect();
    /// Shows the report in the selected format, made by a worker.
    void show_preview();

    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const RunResult> run_;
    Settings& settings_;
    JobChannel job_;
    JobChannel preview_job_;
    std::shared_ptr<const Report> report_;
    std::shared_ptr<QTextDocument> shown_;

    QComboBox* format_ = nullptr;
    QComboBox* compare_ = nullptr;
    QCheckBox* path_ = nullptr;
    std::vector<QCheckBox*> sections_;  ///< in the order of report_sections()
    QTextBrowser* preview_ = nullptr;
    QLabel* state_ = nullptr;
    QPushButton* save_ = nullptr;
};

}  // namespace splitscope::ui
