// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QWidget>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/panels/breakpoints_panel.hpp"
#include "ui/panels/panel.hpp"

class QAction;
class QHBoxLayout;

namespace splitscope::ui {

/// Prompt input and text output: runs the session's schedule, shows the text and the current position, with
/// breakpoints and messages of the run.
class RunPanel : public QWidget {
    Q_OBJECT
 public:
    explicit RunPanel(const PanelContext& context);

    /// Run, step, stop, breakpoints …; most of them have buttons.
    void add_actions(const PanelContext& context);
    /// Calls RunControl::start() with the values of the fields.
    void start(bool pause_first = false, const TensorIdentity& run_to = {});
    /// Keeps the text so far.
    void stop() { control_.stop(); }
    bool running() const { return control_.active(); }
    bool can_run() const { return control_.can_run(); }
    /// The last finished run of this document; null if there is none.
    const std::shared_ptr<const RunResult>& result() const { return control_.result(); }

    QString prompt() const { return prompt_->toPlainText(); }
    void set_tokens(int count) { tokens_->setValue(count); }
    QString output() const { return output_->toPlainText(); }
    /// The text of the run's state.
    QString state_text() const { return state_->text(); }
    QString messages() const { return messages_->toPlainText(); }
    /// Notes that the run is of an earlier version of the session; empty if not.
    QString earlier_text() const { return earlier_->isVisibleTo(this) ? earlier_->text() : QString(); }
    /// Notes that the other views show another graph than that of the stop; empty if not.
    QString graph_text() const { return graph_->isVisibleTo(this) ? graph_->text() : QString(); }
    /// Says that the CPU computes for devices of the run; empty if it does not.
    QString stand_in_text() const { return stand_in_->text(); }
    /// An error, or why nothing can be run; empty if all is well.
    QString banner() const { return banner_->isVisibleTo(this) ? banner_->text() : QString(); }
    QComboBox& backends() { return *backends_; }
    QCheckBox& time_nodes() { return *time_nodes_; }
    BreakpointsPanel& breakpoints() { return *breakpoints_; }
    JobChannel& job() { return control_.job(); }
    JobChannel& detect_job() { return detect_job_; }
    void show_breakpoints();

 private:
    void set_actions(const std::vector<QAction*>& actions);
    void make_options();
    void add_kind_switches(QHBoxLayout& row);
    void show_session();
    void show_state();
    QString other_graph_text() const;
    /// Edits the session to show the kind of graph of the current stop.
    void show_graph_of_stop();
    void show_backends();
    void choose_backends(int index);
    void set_banner(const QString& markup, bool error);
    void add_text(const QString& text);
    void add_message(const QString& text);
    void finished();

    Document& document_;
    RunControl& control_;
    JobChannel detect_job_;
    QLabel* banner_;
    QPlainTextEdit* prompt_;
    QSpinBox* tokens_;
    QDoubleSpinBox* temperature_;
    QSpinBox* seed_;
    QComboBox* backends_;
    QCheckBox* time_nodes_;
    QCheckBox* fuse_nodes_;
    std::vector<QCheckBox*> kind_switches_;  ///< settings of the kinds of backend
    std::vector<OfferedDevice> offered_;
    QWidget* buttons_;
    QLabel* earlier_;
    QLabel* graph_;
    QLabel* state_;
    QTabWidget* tabs_;
    QPlainTextEdit* output_;
    QPlainTextEdit* messages_;
    BreakpointsPanel* breakpoints_;
    QLabel* speed_;
    QLabel* stand_in_;
    QElapsedTimer first_token_;
    std::chrono::nanoseconds paused_before_{};  ///< before the first token
    int token_count_ = 0;
};

}  // namespace splitscope::ui
