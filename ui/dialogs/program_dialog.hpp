// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <optional>

#include "ui/document/program_control.hpp"
#include "ui/settings.hpp"

namespace splitscope::ui {

/// What to debug: command line, folder, environment, and where it first stands still. A model dropped on it
/// becomes a command line.
class ProgramDialog : public QDialog {
    Q_OBJECT
 public:
    enum class Purpose { debug, capture };
    /// `model`: what is open; empty = nothing that a program could load.
    ProgramDialog(Settings& settings, Purpose purpose, const QString& model, QWidget* parent = nullptr);

    QPlainTextEdit& command() { return *command_; }
    QLineEdit& folder() { return *folder_; }
    QPlainTextEdit& environment() { return *environment_; }
    QComboBox& recent() { return *recent_; }
    QCheckBox& pause_first() { return *pause_first_; }
    QCheckBox& time_nodes() { return *time_nodes_; }
    QPushButton& start() { return *start_; }
    /// What cannot be started as it is; empty when it can.
    QString problem() const { return problem_->text(); }
    /// What was chosen; nothing where problem() says why.
    std::optional<ProgramSetup> setup() const;
    /// Puts a model into the command line: that of llama-cli where none is there.
    void take_model(const QString& path);

 signals:
    void chosen(const splitscope::ui::ProgramSetup& setup);

 protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

 private:
    void show_recent(int index);
    void check();
    void take();

    Settings& settings_;
    Purpose purpose_;
    QComboBox* recent_;
    QPlainTextEdit* command_;
    QLineEdit* folder_;
    QPlainTextEdit* environment_;
    QCheckBox* pause_first_;
    QCheckBox* time_nodes_;
    QLabel* problem_;
    QPushButton* start_;
};

}  // namespace splitscope::ui
