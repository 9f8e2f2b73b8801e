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

/// Options for debugging: command line, folder, environment, and the first stop. A model dropped on it
/// becomes a command line.
class ProgramDialog : public QDialog {
    Q_OBJECT
 public:
    enum class Purpose { debug, capture };
    /// `model`: the open file; empty = none that a program could load.
    ProgramDialog(Settings& settings, Purpose purpose, const QString& model, QWidget* parent = nullptr);

    QPlainTextEdit& command() { return *command_; }
    QLineEdit& folder() { return *folder_; }
    QPlainTextEdit& environment() { return *environment_; }
    QComboBox& recent() { return *recent_; }
    QCheckBox& pause_first() { return *pause_first_; }
    QCheckBox& time_nodes() { return *time_nodes_; }
    QPushButton& start() { return *start_; }
    /// The problem with the current input; empty if it can be started.
    QString problem() const { return problem_->text(); }
    /// The input; none if problem() is not empty.
    std::optional<ProgramSetup> setup() const;
    /// Inserts a model into the command line, by default that of llama-cli.
    void take_model(const QString& path);

 signals:
    void chosen(const splitscope::ui::ProgramSetup& setup);

 protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

 private:
    void show_recent(int index);
    void check();
    void fit();
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
