// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStringDecoder>
#include <QWidget>
#include <memory>

#include "engine/session/live_run.hpp"
#include "ui/charts/run_timeline.hpp"
#include "ui/document/document.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// Prompt in, text out: runs the session's schedule for real and shows the text as it comes.
class RunPanel : public QWidget {
    Q_OBJECT
 public:
    RunPanel(Document& document, const Theme& theme, QWidget* parent = nullptr);

    void start();
    /// The text so far stays.
    void stop();
    bool running() const { return job_.running(); }
    bool can_run() const { return document_.has_session() && !document_.why_not_runnable(); }
    /// The last finished run of what is open; null if there is none.
    const std::shared_ptr<const RunResult>& result() const { return result_; }

    QString prompt() const { return prompt_->toPlainText(); }
    void set_prompt(const QString& text) { prompt_->setPlainText(text); }
    void set_tokens(int count) { tokens_->setValue(count); }
    QString output() const { return output_->toPlainText(); }
    JobChannel& job() { return job_; }

 signals:
    void running_changed(bool running);
    void run_finished();

 private:
    void show_session();
    void show_state();
    void token_arrived(std::uint64_t run, const RunStep& step);
    void finished(RunResult result);

    Document& document_;
    QLabel* banner_;
    QPlainTextEdit* prompt_;
    QSpinBox* tokens_;
    QDoubleSpinBox* temperature_;
    QSpinBox* seed_;
    QPushButton* run_;
    QPushButton* stop_;
    QPlainTextEdit* output_;
    QLabel* speed_;
    RunTimeline* timeline_;
    JobChannel job_;
    std::shared_ptr<const RunResult> result_;
    QStringDecoder decoder_{QStringDecoder::Utf8};
    QElapsedTimer first_token_;
    std::uint64_t run_number_ = 0;
    int token_count_ = 0;
};

}  // namespace splitscope::ui
