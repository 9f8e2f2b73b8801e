// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QWidget>

#include "ui/models/breakpoint_table.hpp"

namespace splitscope::ui {

/// Breakpoints of runs: an input line, and a list to toggle, edit and delete them.
class BreakpointsPanel : public QWidget {
    Q_OBJECT
 public:
    explicit BreakpointsPanel(BreakpointTable& model, QWidget* parent = nullptr);

    void focus_entry() { text_->setFocus(); }
    QComboBox& kind() { return *kind_; }
    QLineEdit& text() { return *text_; }
    QTableView& table() { return *table_; }
    /// Adds the breakpoint in the input line.
    void add();
    void remove_selected();
    QString error() const { return error_->isVisibleTo(this) ? error_->text() : QString(); }

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

 private:
    void show_kind();
    void show_rows();
    void show_error(const QString& text);

    BreakpointTable& model_;
    QComboBox* kind_;
    QLineEdit* text_;
    QPushButton* add_;
    QLabel* error_;
    QLabel* empty_;
    QTableView* table_;
    QPushButton* remove_;
    QPushButton* clear_;
};

}  // namespace splitscope::ui
